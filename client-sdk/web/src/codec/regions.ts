/** Regions, and what is only somewhere: FORMAT.md, sections 7 and 8. */
import { decodeDigits, digits, type Grouping } from './digits.js';
import { decodeRaster } from './raster.js';
import { refuse, type Source } from './source.js';
import { signed } from './zigzag.js';

const tokenGrouping: Grouping = { digits: 1, base: 19, streams: 1 };
const skip = 0;
const explicit = 1;
const near = 2; // token of a border right at its candidate
const maxSize = 128;

/** A row as areas of one colour: of each, where it ends and its colour. */
interface Row {
  count: number;
  ends: Uint8Array;
  colours: Uint8Array;
}

const makeRow = (): Row => ({
  count: 0,
  ends: new Uint8Array(maxSize + 1),
  colours: new Uint8Array(maxSize + 1),
});
let above = makeRow();
let row = makeRow();

/** Samples that colours stand for. */
const bytePalette = new Uint8Array(256);
const wordPalette = new Int32Array(256);
/** Colours of a raster whose samples are wider. */
const coloursOfAll = new Uint8Array(maxSize * maxSize);

/** Where the row being read has got to. */
let token = 0;
let tokens = 0;
let paletteSize = 0;
let after = 0; // colour behind the border that was read

/** Decodes regions of samples of 1 byte into `out`. */
export function decodeRegions(source: Source, size: number, out: Uint8Array): void {
  paletteSize = source.byte() + 1;
  for (let i = 0; i < paletteSize; ++i) bytePalette[i] = source.byte();
  readRows(source, size, out);
}

/** Decodes regions of samples of 4 bytes into `out`. */
export function decodeWideRegions(source: Source, size: number, out: Int32Array): void {
  paletteSize = source.byte() + 1;
  for (let i = 0; i < paletteSize; ++i) {
    wordPalette[i] = source.u32();
    bytePalette[i] = i;
  }
  readRows(source, size, coloursOfAll);
  for (let i = 0; i < out.length; ++i) out[i] = wordPalette[coloursOfAll[i]];
}

/** Decodes what is only somewhere into `out`. */
export function decodePartial(source: Source, size: number, out: Int32Array): void {
  const nowhere = source.u32() | 0;
  const length = source.varint();
  const end = source.end;
  if (length > end - source.at) refuse('regions are cut off');
  source.end = source.at + length;
  decodeRegions(source, size, coloursOfAll);
  if (source.at !== source.end) refuse('bytes follow the regions');
  source.end = end;
  for (let i = 0; i < out.length; ++i) {
    if (coloursOfAll[i] > 1) refuse('a mask is neither 0 nor 1');
  }
  decodeRaster(source, size, out);
  for (let i = 0; i < out.length; ++i) {
    if (coloursOfAll[i] === 0) out[i] = nowhere;
  }
}

function readRows(source: Source, size: number, out: Uint8Array): void {
  tokens = source.varint();
  if (tokens === 0 || tokens > size * size) refuse('no tokens, or more than samples');
  decodeDigits(source, tokenGrouping, tokens);
  source.beginBits();
  token = 0;
  row.count = 1;
  row.ends[0] = size;
  row.colours[0] = 0;
  for (let j = 0; j < size; ++j) {
    const at = j * size;
    if (j > 0 && takeRepeat()) {
      out.copyWithin(at, at - size, at);
      continue;
    }
    const other = above;
    above = row;
    row = other;
    readRow(source, size);
    paint(out, at);
  }
  if (token !== tokens) refuse('tokens follow the last row');
  source.endBits();
}

/** Takes the next row's tokens if they say that it is like the one before. */
function takeRepeat(): boolean {
  const end = token + row.count;
  if (end > tokens) return false;
  for (let i = token; i < end; ++i) {
    if (digits[i] !== near) return false;
  }
  token = end;
  return true;
}

/** Reads a row by the one above it. */
function readRow(source: Source, size: number): void {
  let count = 0;
  let from = 0;
  let least = 0;
  let first = 0; // area above that reaches beyond `from`
  let colour = above.colours[0];
  while (from < size) {
    while (above.ends[first] <= from) ++first;
    const border = readBorder(source, size, first, colour);
    if (border < least || border > size) refuse('a border lies where none may');
    if (border < size) {
      if (after >= paletteSize) refuse('a colour is not in the palette');
      if (after === colour) refuse('a border has the same colour on both sides');
    }
    if (border > 0) {
      row.ends[count] = border;
      row.colours[count++] = colour;
    }
    from = border;
    least = border + 1;
    colour = after;
  }
  row.count = count;
}

/** @param area  of the row above: the candidates are ends of areas from this one on */
function readBorder(source: Source, size: number, area: number, colour: number): number {
  area = seek(area, colour);
  for (;;) {
    if (token === tokens) refuse('tokens end before the last row');
    if (digits[token] !== skip) break;
    if (isLast(area)) refuse('a token skips what is not there');
    ++token;
    area = seek(area + 1, colour);
  }
  const said = digits[token++];
  if (said === explicit) {
    const border = source.bits(32 - Math.clz32(size));
    if (border < size) after = source.bits(32 - Math.clz32(paletteSize - 1));
    return border;
  }
  const candidate = isLast(area) ? size : above.ends[area];
  const border = candidate + signed(said - near);
  if (border < size) {
    if (isLast(area)) refuse('a border has no colour');
    after = above.colours[area + 1];
  }
  return border;
}

/** The first area above from `area` on that has the colour. */
function seek(area: number, colour: number): number {
  while (area < above.count && above.colours[area] !== colour) ++area;
  return area;
}

/** Whether an area, or there being none, makes the candidate `size`. */
function isLast(area: number): boolean {
  return area >= above.count - 1;
}

/** Writes a row's samples. */
function paint(out: Uint8Array, at: number): void {
  let from = at;
  for (let area = 0; area < row.count; ++area) {
    const sample = bytePalette[row.colours[area]];
    const end = at + row.ends[area];
    if (end - from > 24) out.fill(sample, from, end);
    else for (let i = from; i < end; ++i) out[i] = sample;
    from = end;
  }
}
