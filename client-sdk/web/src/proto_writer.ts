/** Writes protobuf's bytes: who calls says fields in the order of their numbers. */
import { bytesType, fixed64Type, tagOf, varintType } from './proto.js';

const text = new TextEncoder();

/** Writes the fields of one message. Numbers that are the default, 0, are left out. */
export class ProtoWriter {
  private bytes = new Uint8Array(128);
  private length = 0;

  /** What has been written. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  /** A number of any unsigned type, below 2^53. */
  varint(field: number, value: number): void {
    if (value === 0) return;
    this.putVarint(tagOf(field, varintType));
    this.putVarint(value);
  }

  /** A number of sint64, within ±2^52. */
  zigzag(field: number, value: number): void {
    this.varint(field, value < 0 ? -2 * value - 1 : 2 * value);
  }

  fixed64(field: number, value: bigint): void {
    this.putFixed64(field, (view, at) => view.setBigUint64(at, value, true));
  }

  /** -0 is not the default. */
  double(field: number, value: number): void {
    if (Object.is(value, 0)) return;
    this.putFixed64(field, (view, at) => view.setFloat64(at, value, true));
  }

  string(field: number, value: string): void {
    if (value !== '') this.nested(field, text.encode(value));
  }

  /** Numbers of an unsigned type, packed; none: no field. */
  packed(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    const inner = new ProtoWriter();
    for (const value of values) inner.putVarint(value);
    this.nested(field, inner.finish());
  }

  /** Bytes, or a message; also an empty one. */
  nested(field: number, bytes: Uint8Array): void {
    this.putVarint(tagOf(field, bytesType));
    this.putVarint(bytes.length);
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  private putFixed64(field: number, put: (view: DataView, at: number) => void): void {
    this.putVarint(tagOf(field, fixed64Type));
    this.reserve(8);
    put(new DataView(this.bytes.buffer), this.length);
    this.length += 8;
  }

  private putVarint(value: number): void {
    this.reserve(10);
    for (; value >= 128; value = Math.floor(value / 128)) {
      this.bytes[this.length++] = value % 128 | 128;
    }
    this.bytes[this.length++] = value;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(2 * this.bytes.length + more);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}
