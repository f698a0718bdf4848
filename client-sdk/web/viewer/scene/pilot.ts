import type { Eye } from '../state.js';
import { standHeight, swims, walk, type Terrain } from './walk.js';

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

const eyeHeight = 1.7; // blocks above the ground, walking
const clearance = 1.2; // blocks above ground and water, flying
const walkSpeed = 5; // blocks a second
const minSpeed = 2;
const maxSpeed = 4000;
const swimSpeed = 0.6; // of walking
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
    private readonly terrain: Terrain,
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
    const place = this.terrain.ground(x, y);
    if (place) z = Math.max(z, Math.max(place.ground, place.water ?? -Infinity) + clearance);
    this.eye = { ...this.eye, x, y, z };
  }

  #walk(seconds: number, wish: Wish): void {
    const { yaw } = this.eye;
    const here = this.terrain.ground(this.eye.x, this.eye.y);
    const speed = walkSpeed * (wish.fast ? 3 : 1) * (here && swims(here) ? swimSpeed : 1);
    const norm = Math.max(Math.hypot(wish.forward, wish.right), 1);
    this.#steer(
      seconds,
      (speed * (Math.sin(yaw) * wish.forward + Math.cos(yaw) * wish.right)) / norm,
      (speed * (-Math.cos(yaw) * wish.forward + Math.sin(yaw) * wish.right)) / norm,
      0,
    );
    const feet = { x: this.eye.x, y: this.eye.y, z: this.eye.z - eyeHeight };
    const stand = standHeight(this.terrain, feet);
    if (stand === undefined) return; // nothing to stand on yet: wait for it
    // Whoever falls does not walk into what is below.
    const from = { ...feet, z: Math.max(stand, feet.z) };
    const dx = this.velocityX * seconds;
    const dy = this.velocityY * seconds;
    const to = dx === 0 && dy === 0 ? { ...from, z: stand } : walk(this.terrain, from, dx, dy);
    const wanted = to.z + eyeHeight;
    // Up at once, so that the eye is never in the ground; down as one falls.
    const fall = this.eye.z - (4 + 3 * Math.max(this.eye.z - wanted, 0)) * seconds;
    this.eye = { ...this.eye, x: to.x, y: to.y, z: Math.max(wanted, fall) };
  }
}
