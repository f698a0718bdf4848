/** Protobuf's bytes, as far as Terrane's messages need them. */
import { FormatError } from './errors.js';

/** Wire types, the low three bits of a tag. */
export const varintType = 0;
export const fixed64Type = 1;
export const bytesType = 2;
export const fixed32Type = 5;

/** A field's tag: what ProtoReader.tag is compared with. */
export function tagOf(field: number, wireType: number): number {
  return field * 8 + wireType;
}

/** Reads the fields of one message, in the order in which they come. Throws FormatError. */
export class ProtoReader {
  /** Of the field that next() went to: its number * 8 + its wire type. */
  tag = 0;
  private at: number;
  private readonly end: number;

  constructor(
    private readonly source: Uint8Array,
    begin = 0,
    end = source.length,
  ) {
    this.at = begin;
    this.end = end;
  }

  /** Goes to the next field. Its value must then be read, or skipped. */
  next(): boolean {
    if (this.at >= this.end) return false;
    this.tag = this.varint();
    if (this.tag < 8 || this.tag >= 2 ** 32) throw new FormatError('a field has no number');
    return true;
  }

  /** A number; above 2^53 the nearest one that there is. */
  varint(): number {
    const { low, high } = this.halves();
    return high * 2 ** 32 + low;
  }

  /** A signed number of sint32 or sint64; beyond ±2^53 the nearest one that there is. */
  zigzag(): number {
    const { low, high } = this.halves();
    // halved, and for odd ones ~ of that
    const half = high * 2 ** 31 + (low >>> 1);
    return low & 1 ? -half - 1 : half;
  }

  /** A signed number of int32. */
  int32(): number {
    return this.halves().low | 0;
  }

  fixed64(): bigint {
    const at = this.take(8);
    const view = new DataView(this.source.buffer, this.source.byteOffset + at, 8);
    return view.getBigUint64(0, true);
  }

  /** A part of the message's bytes, not a copy. */
  bytes(): Uint8Array {
    const length = this.varint();
    const at = this.take(length);
    return this.source.subarray(at, at + length);
  }

  /** A message within this one. */
  message(): ProtoReader {
    const length = this.varint();
    const at = this.take(length);
    return new ProtoReader(this.source, at, at + length);
  }

  string(): string {
    return new TextDecoder().decode(this.bytes());
  }

  /** Passes over the field's value. */
  skip(): void {
    switch (this.tag & 7) {
      case varintType:
        this.varint();
        break;
      case fixed64Type:
        this.take(8);
        break;
      case bytesType:
        this.take(this.varint());
        break;
      case fixed32Type:
        this.take(4);
        break;
      default:
        throw new FormatError('a field has no type');
    }
  }

  private halves(): { low: number; high: number } {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) throw new FormatError('a number is cut off');
      const byte = this.source[this.at++];
      const bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte < 128) return { low: low >>> 0, high: high >>> 0 };
    }
    throw new FormatError('a number has more than ten bytes');
  }

  private take(length: number): number {
    if (length > this.end - this.at) throw new FormatError('a field is cut off');
    this.at += length;
    return this.at - length;
  }
}
