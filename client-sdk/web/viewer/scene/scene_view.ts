import type { ExploreEvent } from '../../src/index.js';
import type { App } from '../app.js';
import { sameChoice, type Eye, type ViewState } from '../state.js';
import { openSource, viewDistances, type ChunkSource } from './chunk_source.js';
import { Keyboard } from './keyboard.js';
import { Landscape } from './landscape.js';
import { Notice, ThumbPad, showHint } from './overlay.js';
import { Panel } from './panel.js';
import { Pilot, type Wish } from './pilot.js';
import { Pointer } from './pointer.js';
import { Quality } from './quality.js';
import { Rates } from './rates.js';
import { Stage } from './stage.js';
import { adoptStyle } from './style.js';
import { installHooks } from './test_hooks.js';

const arrivalHeight = 70; // blocks above the ground, when a link does not say
const linkEvery = 0.5; // seconds
const quiet = 0.8; // seconds without a new chunk after which the view counts as settled
const jump = 512; // blocks

/** The 3-D view: what comes from the source, what hands do, and what is drawn, frame by frame. */
export class SceneView {
  readonly stage: Stage;
  readonly pilot: Pilot;
  landscape: Landscape;
  frames = 0;
  #source: ChunkSource;
  readonly #root: HTMLElement;
  readonly #keyboard: Keyboard;
  readonly #pointer: Pointer;
  readonly #pad: ThumbPad;
  readonly #panel: Panel;
  readonly #notice: Notice;
  readonly #rates = new Rates();
  readonly #quality: Quality;
  /** Where the eye was when the last frame was drawn. */
  #drawn: Eye | undefined;
  #written: Eye | undefined; // into the link
  readonly #hideHint: () => void;
  readonly #stops: (() => void)[] = [];
  #frame = 0;
  #opened = performance.now();
  #last = this.#opened;
  #lastChunk = this.#opened;
  #lastLink = 0;
  #arriving: boolean;
  isClosed = false;

  constructor(
    host: HTMLElement,
    private readonly app: App,
  ) {
    adoptStyle();
    this.#root = document.createElement('div');
    this.#root.className = 'scene-view';
    host.append(this.#root);
    this.stage = new Stage(this.#root, 1000);
    this.#quality = new Quality(this.stage.isSoftware);
    this.#arriving = !app.state.eye;
    this.pilot = new Pilot(startEye(app), app.state.movement, {
      ground: (x, y) => this.landscape.placeAt(x, y),
      solids: (x, y) => this.landscape.solidsNear(x, y),
    });
    this.#written = this.pilot.eye;
    this.landscape = this.#makeLandscape();
    this.#source = openSource(app);
    this.#panel = new Panel(this.#root);
    this.#notice = new Notice(this.#root);
    this.#hideHint = showHint(this.#root);
    this.#pad = new ThumbPad(this.#root, () => this.#toggleWalk());
    this.#keyboard = new Keyboard({
      toggleWalk: () => this.#toggleWalk(),
      togglePanel: () => this.#panel.toggle(),
      changeSpeed: (factor) => this.pilot.changeSpeed(factor),
      changeTime: (by) => this.#changeTime(by),
    });
    this.#pointer = new Pointer(this.stage.canvas, {
      look: (yaw, pitch) => this.pilot.look(yaw, pitch),
      changeSpeed: (factor) => this.pilot.changeSpeed(factor),
    });
    this.#listen();
    this.stage.canvas.focus({ preventScroll: true });
    this.#frame = requestAnimationFrame((now) => this.#draw(now));
  }

  #listen(): void {
    const { app } = this;
    this.#stops.push(
      app.on('world', () => this.#begin()),
      app.on('state', (now, before) => {
        // Where the world is another one as well, 'world' comes next.
        const isSameWorld = app.worldOf(now.choice) === app.world;
        if (!sameChoice(now.choice, before.choice) && isSameWorld) this.#begin();
        this.#follow(now, before);
      }),
      installHooks(this),
    );
    // Frames stop while the page is hidden; the server still wants to be answered.
    const timer = window.setInterval(() => {
      if (document.hidden) this.#pump();
    }, 1000);
    this.#stops.push(() => window.clearInterval(timer));
  }

  /** Goes where others want the eye to be: a link, or a place that was looked for. */
  #follow(now: ViewState, before: ViewState): void {
    this.pilot.movement = now.movement;
    if (now.eye && now.eye !== before.eye) {
      if (now.eye !== this.pilot.eye) this.setPose(now.eye);
    } else if (now.x !== before.x || now.y !== before.y) {
      this.setPose({ x: now.x, y: now.y });
      this.#arriving = true;
    }
  }

  #makeLandscape(): Landscape {
    const world = this.app.world;
    if (!world) throw new Error('no world is chosen');
    const { stage } = this;
    const levels = viewDistances(world.maxLod);
    const last = levels.length - 1;
    stage.setRange((levels[last] - 0.5) * world.chunkSize * 2 ** last);
    const landscape = new Landscape(
      world,
      this.app.decoder,
      stage.air,
      stage.sun,
      stage.isSoftware,
    );
    stage.scene.add(landscape.group);
    return landscape;
  }

  /** Starts over: another world, or the same one changed. */
  #begin(): void {
    if (!this.app.world || !this.app.variant()) return;
    this.#source.close();
    this.landscape.close();
    this.landscape = this.#makeLandscape();
    this.#source = openSource(this.app);
    this.#notice.show(undefined);
    this.#noteJump();
  }

  #toggleWalk(): void {
    this.pilot.movement = this.pilot.movement === 'walk' ? 'fly' : 'walk';
    this.app.update({ movement: this.pilot.movement });
  }

  #changeTime(by: number): void {
    this.stage.setHour(this.stage.hour + by);
    this.landscape.setSun(this.stage.sun);
  }

  /** Puts the eye somewhere else at once. */
  setPose(eye: Partial<Eye>): void {
    const before = this.pilot.eye;
    this.pilot.eye = { ...before, ...eye };
    this.#arriving = false;
    const way = Math.hypot(this.pilot.eye.x - before.x, this.pilot.eye.y - before.y);
    if (way > jump) this.#noteJump();
  }

  #noteJump(): void {
    this.#lastChunk = performance.now();
  }

  /** Whether all that is in view has come and is drawn as well as it will be. */
  get settled(): boolean {
    const still = performance.now() - this.#lastChunk > quiet * 1000;
    const { x, y } = this.pilot.eye;
    const under = this.landscape.tiles.finest(x, y, this.landscape.world.chunkSize);
    return still && under?.tile.lod === 0 && this.landscape.settled;
  }

  #wish(): Wish {
    const keys = this.#keyboard.wish();
    const sum = (a: number, b: number, c: number): number => Math.min(Math.max(a + b + c, -1), 1);
    const [fingers, pad] = [this.#pointer.fly, this.#pad.wish];
    return {
      ...keys,
      forward: sum(keys.forward, fingers.forward, pad.forward),
      right: sum(keys.right, fingers.right, pad.right),
      up: sum(keys.up, fingers.up, pad.up),
    };
  }

  #draw(now: number): void {
    if (this.isClosed) return;
    this.#frame = requestAnimationFrame((later) => this.#draw(later));
    const seconds = Math.min((now - this.#last) / 1000, 0.25);
    this.#rates.frame();
    const before = this.pilot.eye;
    const moved = this.pilot.step(seconds, this.#wish());
    if (moved && before !== this.pilot.eye && this.frames > 30) this.#hideHint();
    this.#pump();
    this.#arrive();
    const { stage, landscape, pilot } = this;
    const place = landscape.placeAt(pilot.eye.x, pilot.eye.y);
    if (place) stage.setClimate(place, seconds);
    this.#judge(now);
    landscape.tolerance = this.#quality.tolerance;
    stage.setSharpness(this.#quality.sharpness);
    // On foot one comes close to walls.
    const clearance = pilot.movement === 'walk' ? 0 : place ? pilot.eye.z - place.ground : 10;
    stage.look(pilot.eye, landscape.origin, clearance);
    landscape.update(pilot.eye, stage.camera, stage.pixelAngle);
    stage.look(pilot.eye, landscape.origin, clearance);
    stage.draw((now - this.#opened) / 1000);
    ++this.frames;
    if (!sameEye(pilot.eye, this.#written)) this.#writeLink(now / 1000);
    if (this.#panel.isShown) this.#panel.fill(this, this.#source.stats(), this.#rates.read());
  }

  /** Lets the picture's quality follow from how long this frame took to come. */
  #judge(now: number): void {
    const { eye } = this.pilot;
    const moves = eye !== this.#drawn && !sameEye(eye, this.#drawn);
    const waits = !this.landscape.settled;
    this.#quality.frame({ now, took: now - this.#last, moves, waits });
    this.#last = now;
    this.#drawn = eye;
  }

  /** Tells the source where the eye is, and takes what has come. */
  #pump(): void {
    const { eye, velocityX, velocityY } = this.pilot;
    this.#source.move({
      x: eye.x,
      y: eye.y,
      velocityX,
      velocityY,
      directionX: Math.sin(eye.yaw),
      directionY: -Math.cos(eye.yaw),
    });
    for (const event of this.#source.poll()) this.#take(event);
  }

  #take(event: ExploreEvent): void {
    switch (event.type) {
      case 'chunk':
        this.#lastChunk = performance.now();
        this.#rates.chunk(event.bytes.length);
        break;
      case 'welcome':
      case 'resumed':
        this.#notice.show(undefined);
        break;
      case 'reconnecting':
        this.#notice.show('The server is away. Trying again …');
        break;
      case 'worldChanged':
        this.#notice.show('This world has changed on the server.');
        break;
      case 'ended':
        if (event.error) this.#ended(event.error);
        break;
    }
    this.landscape.take(event, (error) =>
      this.app.notify(`A chunk can't be read: ${String(error)}`),
    );
  }

  #ended(error: Error): void {
    this.#notice.show(`The stream has ended: ${error.message}`);
    this.app.heed(error);
  }

  /** The first time somewhere: above the ground, once there is one. */
  #arrive(): void {
    if (!this.#arriving) return;
    const { eye } = this.pilot;
    const place = this.landscape.placeAt(eye.x, eye.y);
    if (!place) return;
    this.#arriving = false;
    const surface = Math.max(place.ground, place.water ?? -Infinity);
    this.pilot.eye = { ...eye, z: surface + arrivalHeight };
    this.#writeLink(Infinity);
  }

  #writeLink(now: number): void {
    if (now - this.#lastLink < linkEvery) return;
    this.#lastLink = Number.isFinite(now) ? now : 0;
    const { eye } = this.pilot;
    this.#written = eye;
    this.app.update({ eye, x: eye.x, y: eye.y });
  }

  /** Ends it: nothing of it stays on the page, the graphics card or the wire. */
  close(): void {
    if (this.isClosed) return;
    this.#writeLink(Infinity);
    this.isClosed = true;
    cancelAnimationFrame(this.#frame);
    for (const stop of this.#stops) stop();
    this.#keyboard.close();
    this.#pointer.close();
    this.#source.close();
    this.landscape.close();
    this.stage.close();
    this.#root.remove();
  }
}

/** Where a link says the eye is, or above the middle of the map. */
function startEye(app: App): Eye {
  const { eye, x, y } = app.state;
  return eye ?? { x, y, z: 200, yaw: 0.6, pitch: -0.22 };
}

function sameEye(a: Eye, b: Eye | undefined): boolean {
  return (['x', 'y', 'z', 'yaw', 'pitch'] as const).every((part) => a[part] === b?.[part]);
}
