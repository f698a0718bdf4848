import type { Eye } from '../state.js';
import type { Place } from './place.js';

/** What hands and keys ask for, each from -1 to 1. */
export interface Wish {
  forward: number;
  right: number;
  up: number;
  /** Radians a second. */
  turn: number;
  tilt: number;
  fast: boolean;
}

/** Finds the ground; undefined: nothing is loaded there. */
export type GroundLookup = (x: number, y: number) => Place | undefined;

const eyeHeight = 1.7; // blocks above the ground, walking
const clearance = 1.2; // blocks above ground and water, flying
const walkSpeed = 5; // blocks a second
const minSpeed = 2;
const maxSpeed = 4000;
const steepest = 1.4; // rise per block that feet still climb
const maxPitch = 1.55;
const highest = 6000;

/** Moves the eye: flies or walks, and never below the ground. */
export class Pilot {
  velocityX = 0;
  velocityY = 0;
  #velocityZ = 0;
  /** Blocks a second, flying. */
  speed = 60;

  constructor(
    public eye: Eye,
    public movement: 'fly' | 'walk',
    private readonly ground: GroundLookup,
  ) {}

  /** Turns the head by radians. */
  look(yaw: number, pitch: number): void {
    const turned = (this.eye.yaw + yaw) % (2 * Math.PI);
    const tilted = Math.min(Math.max(this.eye.pitch + pitch, -maxPitch), maxPitch);
    this.eye = { ...this.eye, yaw: turned, pitch: tilted };
  }

  /** Makes flying faster or slower by a factor. */
  changeSpeed(factor: number): void {
    this.speed = Math.min(Math.max(this.speed * factor, minSpeed), maxSpeed);
  }

  /** Goes on for `seconds`. @returns whether anything moved */
  step(seconds: number, wish: Wish): boolean {
    const before = this.eye;
    this.look(wish.turn * seconds, wish.tilt * seconds);
    if (this.movement === 'walk') this.#walk(seconds, wish);
    else this.#fly(seconds, wish);
    const now = this.eye;
    return (['x', 'y', 'z', 'yaw', 'pitch'] as const).some((part) => now[part] !== before[part]);
  }

  /** Nears the velocity to what is wished: starts and stops are soft. */
  #steer(seconds: number, x: number, y: number, z: number): void {
    const share = 1 - Math.exp(-seconds * 7);
    const near = (now: number, wanted: number): number => {
      const next = now + (wanted - now) * share;
      return wanted === 0 && Math.abs(next) < 0.02 ? 0 : next;
    };
    this.velocityX = near(this.velocityX, x);
    this.velocityY = near(this.velocityY, y);
    this.#velocityZ = near(this.#velocityZ, z);
  }

  #fly(seconds: number, wish: Wish): void {
    const { yaw, pitch } = this.eye;
    const speed = this.speed * (wish.fast ? 4 : 1);
    const ahead = wish.forward * Math.cos(pitch);
    this.#steer(
      seconds,
      speed * (Math.sin(yaw) * ahead + Math.cos(yaw) * wish.right),
      speed * (-Math.cos(yaw) * ahead + Math.sin(yaw) * wish.right),
      speed * (wish.forward * Math.sin(pitch) + wish.up),
    );
    const x = this.eye.x + this.velocityX * seconds;
    const y = this.eye.y + this.velocityY * seconds;
    let z = Math.min(this.eye.z + this.#velocityZ * seconds, highest);
    const place = this.ground(x, y);
    if (place) z = Math.max(z, Math.max(place.ground, place.water ?? -Infinity) + clearance);
    this.eye = { ...this.eye, x, y, z };
  }

  #walk(seconds: number, wish: Wish): void {
    const { yaw } = this.eye;
    const speed = walkSpeed * (wish.fast ? 3 : 1);
    const norm = Math.max(Math.hypot(wish.forward, wish.right), 1);
    this.#steer(
      seconds,
      (speed * (Math.sin(yaw) * wish.forward + Math.cos(yaw) * wish.right)) / norm,
      (speed * (-Math.cos(yaw) * wish.forward + Math.sin(yaw) * wish.right)) / norm,
      0,
    );
    const here = this.ground(this.eye.x, this.eye.y);
    if (!here) return; // nothing to stand on yet: wait for it
    let { x, y } = this.eye;
    const goX = this.velocityX * seconds;
    const goY = this.velocityY * seconds;
    const way = Math.hypot(goX, goY);
    if (way > 0) {
      const there = this.ground(x + goX, y + goY) ?? here;
      const rise = (there.ground - here.ground) / way;
      // Uphill is slow, and walls stop; along a slope feet go on.
      const share = rise > steepest ? 0 : 1 / (1 + 0.6 * Math.max(rise, 0) ** 2);
      x += goX * share;
      y += goY * share;
    }
    const place = this.ground(x, y) ?? here;
    const feet = Math.max(place.ground, (place.water ?? -Infinity) - 0.9);
    const wanted = feet + eyeHeight;
    // Up at once, so that the eye is never in the ground; down as one falls.
    const fall = this.eye.z - (4 + 3 * Math.max(this.eye.z - wanted, 0)) * seconds;
    this.eye = { ...this.eye, x, y, z: Math.max(wanted, fall) };
  }
}
