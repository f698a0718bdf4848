/** What pointers do. Angles in radians. */
export interface PointerActions {
  look(yaw: number, pitch: number): void;
  changeSpeed(factor: number): void;
}

const anglePerPixel = 0.0035;
const lockedAnglePerPixel = 0.0022;

/**
 * Mouse and fingers on the canvas: one drags the view, two fingers fly (spread: forward, drag:
 * sideways and up), the wheel changes the speed, a double click takes the mouse until Escape.
 */
export class Pointer {
  readonly #ends = new AbortController();
  readonly #down = new Map<number, { x: number; y: number }>();
  #pinch: { x: number; y: number; spread: number } | undefined;
  /** What two fingers ask for, from -1 to 1. */
  readonly fly = { forward: 0, right: 0, up: 0 };

  constructor(
    private readonly canvas: HTMLElement,
    private readonly actions: PointerActions,
  ) {
    const { signal } = this.#ends;
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#drag(event), { signal });
    for (const name of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(name, (event) => this.#release(event), { signal });
    }
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        actions.changeSpeed(Math.exp(-event.deltaY * (event.deltaMode ? 0.06 : 0.0015)));
      },
      { signal, passive: false },
    );
    canvas.addEventListener('dblclick', () => this.#lock(), { signal });
  }

  #lock(): void {
    // Safari returns nothing, others a promise that fails where it is forbidden.
    const locked: unknown = this.canvas.requestPointerLock?.();
    if (locked instanceof Promise) locked.catch(() => undefined);
  }

  #press(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.#down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#pinch = this.#down.size === 2 ? this.#twoFingers() : undefined;
  }

  #drag(event: PointerEvent): void {
    if (document.pointerLockElement === this.canvas) {
      const turn = event.movementX * lockedAnglePerPixel;
      this.actions.look(turn, -event.movementY * lockedAnglePerPixel);
      return;
    }
    const before = this.#down.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    this.#down.set(event.pointerId, now);
    if (this.#down.size === 1) {
      // The land follows the finger.
      this.actions.look((before.x - now.x) * anglePerPixel, (now.y - before.y) * anglePerPixel);
    } else if (this.#pinch) {
      const fingers = this.#twoFingers();
      const share = (pixels: number): number => Math.min(Math.max(pixels / 90, -1), 1);
      this.fly.forward = share(fingers.spread - this.#pinch.spread);
      this.fly.right = share(fingers.x - this.#pinch.x);
      this.fly.up = share(this.#pinch.y - fingers.y);
    }
  }

  #release(event: PointerEvent): void {
    this.#down.delete(event.pointerId);
    this.#pinch = undefined;
    Object.assign(this.fly, { forward: 0, right: 0, up: 0 });
  }

  #twoFingers(): { x: number; y: number; spread: number } {
    const [a, b] = [...this.#down.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread: Math.hypot(a.x - b.x, a.y - b.y) };
  }

  close(): void {
    this.#ends.abort();
    if (document.pointerLockElement === this.canvas) document.exitPointerLock();
  }
}
