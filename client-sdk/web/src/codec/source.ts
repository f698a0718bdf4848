import { FormatError } from '../errors.js';
import { signed } from './zigzag.js';

/** Refuses the bytes. */
export function refuse(what: string): never {
  throw new FormatError(what);
}

const maxSpare = 1 << 20; // bytes of scratch that are kept between chunks
// What a decoder may read behind the end before it notices: as many symbols as there can be.
const slack = 32 * 1024;

let scratch = new Uint8Array(256 * 1024);
let scratchView = new DataView(scratch.buffer);

/** What is left of a payload: numbers are taken off its front. Reads bits, too, lowest first. */
export class Source {
  /** All bytes there are, with room behind them, so that words can be read at any place. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where the next byte is, and where the payload ends. */
  at = 0;
  end: number;
  /** Where the next bit is, counted from the first byte, within a run of bits. */
  private bit = 0;

  /** Copies the bytes to where there is room behind them: one Source is in use at a time. */
  constructor(bytes: Uint8Array) {
    if (scratch.length < bytes.length + slack) {
      scratch = new Uint8Array(bytes.length + slack);
      scratchView = new DataView(scratch.buffer);
    }
    this.bytes = scratch;
    this.view = scratchView;
    this.end = bytes.length;
    scratch.set(bytes);
    scratch.fill(0, bytes.length, bytes.length + 8);
    if (scratch.length > maxSpare) scratch = new Uint8Array(0);
  }

  /** Goes to a part of the bytes. */
  enter(at: number, end: number): void {
    this.at = at;
    this.end = end;
  }

  byte(): number {
    if (this.at >= this.end) refuse('a number is cut off');
    return this.bytes[this.at++];
  }

  u16(): number {
    if (this.end - this.at < 2) refuse('a number is cut off');
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }

  u32(): number {
    if (this.end - this.at < 4) refuse('a number is cut off');
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) {
        if (value > 0xffffffff) break;
        return value;
      }
    }
    return refuse('a varint exceeds 32 bits');
  }

  /** A varint that is a zigzag number of 32 bits. */
  difference(): number {
    return signed(this.varint());
  }

  beginBits(): void {
    this.bit = this.at * 8;
  }

  /** A number of up to 24 bits. */
  bits(count: number): number {
    const word = this.peek();
    this.bit += count;
    return word & ((1 << count) - 1);
  }

  expGolomb(order: number): number {
    const word = this.peek();
    const zeros = 31 - Math.clz32(word & -word);
    if (zeros < 0 || zeros > 23) refuse('an Exp-Golomb number has too many zeros');
    const length = zeros + order;
    if (zeros + 1 + length <= 25) {
      this.bit += zeros + 1 + length;
      return (1 << length) - (1 << order) + ((word >>> (zeros + 1)) & ((1 << length) - 1));
    }
    this.bit += zeros + 1;
    const low = this.bits(12);
    return 2 ** length - 2 ** order + low + this.bits(length - 12) * 4096;
  }

  /** Ends a run of bits: goes on behind its last byte. */
  endBits(): void {
    const at = (this.bit + 7) >>> 3;
    if (at > this.end) refuse('bits are cut off');
    if ((this.bit & 7) !== 0 && this.bytes[at - 1] >>> (this.bit & 7) !== 0) {
      refuse('padding bits are not zero');
    }
    this.at = at;
  }

  /** The next 25 bits. */
  private peek(): number {
    const at = this.bit >>> 3;
    if (at > this.end) refuse('bits are cut off');
    return (this.view.getUint32(at, true) >>> (this.bit & 7)) & 0x1ffffff;
  }
}
