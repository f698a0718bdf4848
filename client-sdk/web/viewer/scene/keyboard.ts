import type { Wish } from './pilot.js';

/** What single keys do. */
export interface KeyActions {
  toggleWalk(): void;
  togglePanel(): void;
  changeSpeed(factor: number): void;
  /** Hours. */
  changeTime(by: number): void;
}

const turnSpeed = 1.5; // radians a second

/** Keeps account of the keys that are held down. */
export class Keyboard {
  readonly #held = new Set<string>();
  readonly #ends = new AbortController();

  constructor(actions: KeyActions) {
    const { signal } = this.#ends;
    const singles: Record<string, () => void> = {
      KeyF: () => actions.toggleWalk(),
      KeyP: () => actions.togglePanel(),
      Equal: () => actions.changeSpeed(1.5),
      NumpadAdd: () => actions.changeSpeed(1.5),
      Minus: () => actions.changeSpeed(1 / 1.5),
      NumpadSubtract: () => actions.changeSpeed(1 / 1.5),
      BracketLeft: () => actions.changeTime(-0.5),
      BracketRight: () => actions.changeTime(0.5),
    };
    const down = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
      if (singles[event.code]) {
        if (!event.repeat) singles[event.code]();
      } else if (!isMovement(event.code) || onControl(event)) {
        return;
      } else {
        this.#held.add(event.code);
      }
      event.preventDefault();
    };
    window.addEventListener('keydown', down, { signal });
    window.addEventListener('keyup', (event) => this.#held.delete(event.code), { signal });
    window.addEventListener('blur', () => this.#held.clear(), { signal });
  }

  /** What the keys ask for now. */
  wish(): Wish {
    const one = (...codes: string[]): number =>
      codes.some((code) => this.#held.has(code)) ? 1 : 0;
    const down = one('KeyQ', 'KeyC');
    return {
      forward: one('KeyW', 'ArrowUp') - one('KeyS', 'ArrowDown'),
      right: one('KeyD') - one('KeyA'),
      up: one('KeyE', 'Space') - down,
      turn: turnSpeed * (one('ArrowRight') - one('ArrowLeft')),
      tilt: turnSpeed * 0.7 * (one('PageUp', 'KeyR') - one('PageDown', 'KeyV')),
      fast: this.#held.has('ShiftLeft') || this.#held.has('ShiftRight'),
    };
  }

  close(): void {
    this.#ends.abort();
    this.#held.clear();
  }
}

function isMovement(code: string): boolean {
  return /^(Key[WASDQECRV]|Arrow(Up|Down|Left|Right)|Space|Page(Up|Down)|Shift.*)$/.test(code);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select');
}

/** The space bar presses the button that has the focus. */
function onControl(event: KeyboardEvent): boolean {
  return event.code === 'Space' && event.target instanceof HTMLButtonElement;
}
