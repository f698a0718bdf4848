import type { ExplorerStats } from '../../src/index.js';
import type { Landscape } from './landscape.js';
import { card } from './overlay.js';
import type { Pilot } from './pilot.js';
import type { Stage } from './stage.js';

/** What the panel reads. */
interface Shown {
  pilot: Pilot;
  landscape: Landscape;
  stage: Stage;
}

/** The panel of numbers: rows of a name and a value. */
export class Panel {
  readonly #element: HTMLElement;
  readonly #values = new Map<string, HTMLElement>();

  constructor(host: HTMLElement) {
    this.#element = card(host, 'panel', 'dl');
    this.#element.hidden = true;
  }

  get isShown(): boolean {
    return !this.#element.hidden;
  }

  toggle(): void {
    this.#element.hidden = !this.#element.hidden;
  }

  /** Writes down how things are. Rates are per second. */
  fill(
    { pilot, landscape, stage }: Shown,
    stats: ExplorerStats,
    rates: { frames: number; chunks: number; bytes: number },
  ): void {
    const { eye } = pilot;
    const place = landscape.placeAt(eye.x, eye.y);
    const biome = place && landscape.world.biomes[place.biome];
    const { underfootMs } = stats;
    this.#set('frames/s', rates.frames.toFixed(0));
    this.#set('chunks/s', rates.chunks.toFixed(0));
    this.#set('KiB/s', (rates.bytes / 1024).toFixed(1));
    this.#set('chunks at hand', String(stats.inRange));
    this.#set('kept, not sent again', String(stats.kept));
    this.#set('tiles by level', landscape.shownByLevel().join(' '));
    this.#set('triangles', `${Math.round(stage.triangles / 1000)} k`);
    this.#set('underfoot in', underfootMs > 0 ? `${Math.round(underfootMs)} ms` : '…');
    this.#set('position', `${Math.floor(eye.x)}, ${Math.floor(eye.y)}`);
    this.#set('height', `${eye.z.toFixed(1)} (ground ${place ? place.ground.toFixed(1) : '…'})`);
    this.#set('biome', biome?.name ?? '…');
    const speed = `${Math.round(pilot.speed)} blocks/s`;
    this.#set('speed', pilot.movement === 'walk' ? 'on foot' : speed);
  }

  #set(name: string, value: string): void {
    let cell = this.#values.get(name);
    if (!cell) {
      const title = document.createElement('dt');
      title.textContent = name;
      cell = document.createElement('dd');
      this.#element.append(title, cell);
      this.#values.set(name, cell);
    }
    if (cell.textContent !== value) cell.textContent = value;
  }
}
