/** A map of a world in a page that asks nobody for anything: the land is made in its worker. */
import type { Tile } from '@terrane/client';
import { blockAt, clamped, lodOf, placeOf, tilesIn, type View } from './map_view.js';
import { type Answer, type Request, tilePixels } from './messages.js';

/** The script of land_worker.ts; set when the page is built. */
declare const TERRANE_WORKER: string;

const keptTiles = 400; // of 256 kB
const wheelStep = 1 / 400; // doublings a pixel of the wheel

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const canvas = element<HTMLCanvasElement>('map');
const pen = canvas.getContext('2d')!;
const seedField = element<HTMLInputElement>('seed');
const line = element('line');

/** Bytes that the page holds as text. */
const bytesOf = (id: string): Uint8Array =>
  Uint8Array.from(atob(element(id).textContent!.trim()), (letter) => letter.charCodeAt(0));

const script = new Blob([TERRANE_WORKER], { type: 'text/javascript' });
const worker = new Worker(URL.createObjectURL(script));
const post = (request: Request): void => worker.postMessage(request);

let view: View = { x: 0, y: 0, scale: 8 };
let maxLod = 16; // until the world is open
let isOpen = false;
let isBusy = false; // the worker paints
const tiles = new Map<string, { tile: Tile; picture: ImageBitmap }>();

const keyOf = ({ lod, x, y }: Tile): string => `${lod}/${x}/${y}`;
const inView = (): Tile[] => tilesIn(view, canvas, lodOf(view, maxLod));

/** Has the worker paint the tile that is lacking most. */
function order(): void {
  if (!isOpen || isBusy) return;
  const missing = inView().find((tile) => !tiles.has(keyOf(tile)));
  document.body.dataset['drawn'] = String(missing === undefined);
  if (missing === undefined) return;
  isBusy = true;
  post({ type: 'paint', seed: seedField.value, tile: missing });
}

/** Draws what there is, the coarsest first, so that finer tiles lie on top. */
function draw(): void {
  pen.fillStyle = '#20262c';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const lod = lodOf(view, maxLod);
  const rank = (tile: Tile): number => (tile.lod === lod ? -1 : tile.lod);
  const all = [...tiles.values()].sort((a, b) => rank(b.tile) - rank(a.tile));
  for (const { tile, picture } of all) {
    const { x, y, edge } = placeOf(tile, view, canvas);
    if (x > canvas.width || y > canvas.height || x + edge < 0 || y + edge < 0) continue;
    const left = Math.round(x);
    const top = Math.round(y);
    pen.drawImage(picture, left, top, Math.round(x + edge) - left, Math.round(y + edge) - top);
  }
}

function update(): void {
  view = clamped(view, maxLod);
  document.body.dataset['drawn'] = 'false';
  document.body.dataset['scale'] = String(view.scale);
  draw();
  order();
}

async function keep(tile: Tile, pixels: Uint8ClampedArray<ArrayBuffer>): Promise<void> {
  const picture = await createImageBitmap(new ImageData(pixels, tilePixels, tilePixels));
  tiles.set(keyOf(tile), { tile, picture });
  const most = Math.max(keptTiles, 2 * inView().length);
  for (const [key, old] of tiles) {
    if (tiles.size <= most) break;
    old.picture.close();
    tiles.delete(key);
  }
}

async function take(answer: Answer): Promise<void> {
  switch (answer.type) {
    case 'opened':
      document.title = answer.title;
      element('title').textContent = answer.title;
      maxLod = answer.maxLod;
      isOpen = true;
      return update();
    case 'painted':
      if (answer.seed === seedField.value) await keep(answer.tile, answer.pixels);
      isBusy = false;
      draw();
      return order();
    case 'told':
      line.textContent = answer.text;
      return;
    case 'failed':
      line.textContent = answer.message;
      isBusy = false; // and nothing is asked for until the view or the seed is another
  }
}

/** The pointer's place in pixels of the canvas. */
function pixelOf(event: MouseEvent): { x: number; y: number } {
  const ratio = canvas.width / canvas.clientWidth;
  return { x: event.offsetX * ratio, y: event.offsetY * ratio };
}

function fit(): void {
  canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
  update();
}

worker.onmessage = ({ data }) => void take(data as Answer);
worker.onerror = ({ message }) => (line.textContent = message);

canvas.onpointerdown = ({ pointerId }) => canvas.setPointerCapture(pointerId);
canvas.onpointermove = (event) => {
  if (event.buttons !== 0) {
    const ratio = (canvas.width / canvas.clientWidth) * view.scale;
    view = { ...view, x: view.x - event.movementX * ratio, y: view.y - event.movementY * ratio };
    return update();
  }
  const { x, y } = pixelOf(event);
  const block = blockAt(view, canvas, x, y);
  const [blockX, blockY] = [Math.floor(block.x), Math.floor(block.y)];
  if (isOpen) post({ type: 'tell', seed: seedField.value, x: blockX, y: blockY });
};
canvas.addEventListener(
  'wheel',
  (event) => {
    event.preventDefault();
    const { x, y } = pixelOf(event);
    const under = blockAt(view, canvas, x, y);
    view = clamped({ ...view, scale: view.scale * 2 ** (event.deltaY * wheelStep) }, maxLod);
    const now = blockAt(view, canvas, x, y); // the block under the pointer stays there
    view = { ...view, x: view.x + under.x - now.x, y: view.y + under.y - now.y };
    update();
  },
  { passive: false },
);
seedField.onchange = () => {
  for (const { picture } of tiles.values()) picture.close();
  tiles.clear();
  update();
};
window.onresize = fit;

post({ type: 'open', core: bytesOf('core'), file: bytesOf('world') });
fit();
