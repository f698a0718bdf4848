/** Measures: points on the map, the way along them, and its height profile. */
import * as L from 'leaflet';
import type { Block } from '../../src/index.js';
import type { App } from '../app.js';
import type { MapStage } from './index.js';
import type { Profile } from './height_profile.js';
import { makeRulerPanel } from './ruler_panel.js';
import { toLatLng } from './view.js';

/** The ruler of the main map. */
export class Ruler {
  onToggle: (isOn: boolean) => void = () => {};
  private isOnNow = false;
  private points: Block[] = [];
  private readonly drawn = L.layerGroup();
  private readonly map: L.Map;
  private readonly panel: ReturnType<typeof makeRulerPanel>;

  constructor(app: App, stage: MapStage) {
    this.map = stage.main.map;
    this.panel = makeRulerPanel(app, stage, () => this.restart());
    // a line through other land means nothing
    app.on('world', () => this.restart());
    app.on('state', (now) => {
      if (now.mode === '3d') this.stop();
    });
  }

  get isOn(): boolean {
    return this.isOnNow;
  }

  /** Heights along the way; undefined until they are drawn. */
  get profile(): Profile | undefined {
    return this.panel.profile();
  }

  toggle(): void {
    this.set(!this.isOnNow);
  }

  stop(): void {
    this.set(false);
  }

  /** Adds a point: the middle of a block. */
  add(x: number, y: number): void {
    const point = { x: Math.floor(x) + 0.5, y: Math.floor(y) + 0.5 };
    const last = this.points[this.points.length - 1];
    if (last?.x === point.x && last.y === point.y) return; // a double click
    this.points = [...this.points, point];
    this.redraw();
  }

  private readonly onClick = (event: L.LeafletMouseEvent): void =>
    this.add(event.latlng.lng, event.latlng.lat);

  private set(isOn: boolean): void {
    if (isOn === this.isOnNow) return;
    this.isOnNow = isOn;
    this.panel.show(isOn);
    this.map.getContainer().style.cursor = isOn ? 'crosshair' : '';
    if (isOn) {
      this.map.on('click', this.onClick);
      this.map.doubleClickZoom.disable();
      this.drawn.addTo(this.map);
    } else {
      this.map.off('click', this.onClick);
      this.map.doubleClickZoom.enable();
      this.drawn.remove();
    }
    this.restart();
    this.onToggle(isOn);
  }

  private restart(): void {
    this.points = [];
    this.redraw();
  }

  private redraw(): void {
    const { drawn } = this;
    const way = this.points.map(({ x, y }) => toLatLng(x, y));
    drawn.clearLayers();
    L.polyline(way, { color: '#111', weight: 5, opacity: 0.5, interactive: false }).addTo(drawn);
    L.polyline(way, { color: '#fff', weight: 2, interactive: false }).addTo(drawn);
    for (const point of way) {
      L.circleMarker(point, {
        ...{ radius: 5, color: '#fff', weight: 2, fillColor: '#e2653f', fillOpacity: 1 },
        interactive: false,
      }).addTo(drawn);
    }
    if (this.isOnNow) this.panel.tell(this.points);
  }
}
