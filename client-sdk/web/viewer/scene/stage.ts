import { PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import type { Eye } from '../state.js';
import { makeAir, setAir, sunAt, type AirUniforms, type Climate } from './air.js';
import { noiseTexture } from './noise_texture.js';
import { makeSky, placeClouds } from './sky.js';
import type { Sun } from './surface.js';

/** By the name of what WebGL draws with: there each sample of a pixel costs. */
function isSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = gl && info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(String(name));
}

const fieldOfView = 58; // degrees, from top to bottom

/** The canvas with sky, light and camera; the land is added to `scene`. */
export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.3, 20000);
  readonly canvas: HTMLCanvasElement;
  readonly air: AirUniforms;
  hour = 15.6;
  /** Whether the processor draws, and not a graphics card. */
  readonly isSoftware = isSoftware();
  readonly #renderer: WebGLRenderer;
  readonly #noise = noiseTexture();
  readonly #sky;
  readonly #resized: ResizeObserver;
  #sharpness = 1;
  #climate: Climate = { temperature: 12, humidity: 50 };

  /** @param range blocks to where the land ends */
  constructor(
    private readonly host: HTMLElement,
    range: number,
  ) {
    this.#renderer = new WebGLRenderer({
      antialias: !this.isSoftware,
      powerPreference: 'high-performance',
    });
    // Nearest first, whatever it is made of: what it hides need not be painted.
    this.#renderer.setOpaqueSort((a, b) => a.renderOrder - b.renderOrder || a.z - b.z);
    this.canvas = this.#renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('aria-label', 'The land in three dimensions');
    this.canvas.dataset['testid'] = 'scene-canvas';
    host.append(this.canvas);
    this.air = makeAir(this.#noise, range);
    this.#sky = makeSky(this.air);
    this.scene.add(this.#sky);
    this.scene.matrixWorldAutoUpdate = false; // tiles see to it when they are placed
    this.#resized = new ResizeObserver(() => this.#fit());
    this.#resized.observe(host);
    this.#fit();
    this.#relight();
  }

  /** Towards the sun. */
  get sun(): Sun {
    return sunAt(this.hour);
  }

  /** Angle that a pixel of the screen takes, in radians. */
  get pixelAngle(): number {
    return (((fieldOfView / 180) * Math.PI) / this.canvas.height) * this.#sharpness;
  }

  get triangles(): number {
    return this.#renderer.info.render.triangles;
  }

  /** Draws fewer pixels than the screen has: a share of those along each edge. */
  setSharpness(share: number): void {
    if (share === this.#sharpness) return;
    this.#sharpness = share;
    this.#fit();
  }

  /** Changes the hour of the day; it goes round. */
  setHour(hour: number): void {
    this.hour = ((hour % 24) + 24) % 24;
    this.#relight();
  }

  setRange(range: number): void {
    this.air.uRange.value = range;
    this.camera.far = range * 1.5;
    this.camera.updateProjectionMatrix();
  }

  /** Lets the air become what it is in this climate, in a few seconds. */
  setClimate(climate: Climate, seconds: number): void {
    const share = 1 - Math.exp(-seconds / 2.5);
    this.#climate.temperature += (climate.temperature - this.#climate.temperature) * share;
    this.#climate.humidity += (climate.humidity - this.#climate.humidity) * share;
    this.#relight();
  }

  #relight(): void {
    setAir(this.air, this.sun, this.#climate, this.camera.position.y);
  }

  #fit(): void {
    const { host } = this;
    const width = Math.max(host.clientWidth, 1);
    const height = Math.max(host.clientHeight, 1);
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * this.#sharpness;
    this.#renderer.setSize(Math.ceil(width * ratio), Math.ceil(height * ratio), false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Puts the camera where the eye is. @param clearance blocks to the nearest thing, about */
  look(eye: Eye, origin: { x: number; y: number }, clearance: number): void {
    const near = Math.min(Math.max(clearance * 0.25, 0.15), 8);
    if (Math.abs(near - this.camera.near) > 0.1 * near) {
      this.camera.near = near;
      this.camera.updateProjectionMatrix();
    }
    this.camera.position.set(eye.x - origin.x, eye.z, eye.y - origin.y);
    this.camera.rotation.set(eye.pitch, -eye.yaw, 0, 'YXZ');
    this.camera.updateMatrixWorld();
    placeClouds(this.air, eye);
  }

  /** Draws a frame. @param seconds since the scene was opened */
  draw(seconds: number): void {
    this.air.uTime.value = seconds;
    this.#renderer.render(this.scene, this.camera);
  }

  /** Frees the graphics card and takes the canvas away. */
  close(): void {
    this.#resized.disconnect();
    this.#sky.geometry.dispose();
    this.#sky.material.dispose();
    this.#noise.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.canvas.remove();
  }
}
