/** A structure as an architect draws it: its rooms from above, their walls and doors. */
import type {
  DoorInfo,
  PieceInfo,
  Structure,
  StructureKindInfo,
  Variant,
  World,
  WorldRoom,
} from '../../src/index.js';
import type { App } from '../app.js';
import { el } from '../dom.js';
import { toCss } from './paint/color.js';
import { extentOf } from './sample.js';

const planPixels = 240;

/**
 * What a popup says of a structure; its plan is added when the server has sent its rooms.
 * @param onChange  called then
 */
export function planOf(
  app: App,
  variant: Variant,
  world: World,
  structure: Structure,
  onChange: () => void,
): HTMLElement {
  const kind = world.structureKinds[structure.kind];
  const { x, y, fromX, fromY, toX, toY } = structure;
  const size = `${toX - fromX + 1} × ${toY - fromY + 1} blocks`;
  const rooms = structure.rooms === 1 ? '1 room' : `${structure.rooms} rooms`;
  const note = el('p', {}, `${rooms}, ${size}, at ${x}, ${y}`);
  const element = el(
    'div',
    { className: 'plan', test: 'plan' },
    el('h3', {}, kind?.name ?? 'structure'),
    note,
  );
  const draw = async (): Promise<void> => {
    try {
      const { rooms: all } = await app.http.structure(variant, { x, y });
      element.append(el('p', { className: 'quiet', test: 'plan-rooms' }, inWords(kind, all)));
      element.append(drawPlan(world, structure, all));
    } catch (error) {
      app.heed(error);
      element.append(el('p', {}, 'Its plan could not be had.'));
    }
    onChange();
  };
  void draw();
  return element;
}

/** Which rooms there are: 'gate, 2 × hall'. */
function inWords(kind: StructureKindInfo | undefined, rooms: WorldRoom[]): string {
  const counts = new Map<string, number>();
  for (const { piece } of rooms) {
    const name = kind?.pieces[piece]?.name ?? 'room';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, n]) => (n === 1 ? name : `${n} × ${name}`)).join(', ');
}

function drawPlan(world: World, structure: Structure, rooms: WorldRoom[]): HTMLCanvasElement {
  const width = structure.toX - structure.fromX + 3;
  const height = structure.toY - structure.fromY + 3;
  const scale = Math.min(Math.max(Math.floor(planPixels / Math.max(width, height)), 2), 14);
  const ratio = window.devicePixelRatio || 1;
  const canvas = el('canvas', { width: width * scale * ratio, height: height * scale * ratio });
  canvas.style.width = `${width * scale}px`;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'Plan of its rooms');
  const pen = canvas.getContext('2d');
  if (!pen) return canvas;
  pen.scale(scale * ratio, scale * ratio);
  pen.translate(1 - structure.fromX, 1 - structure.fromY);
  const info = world.structureKinds[structure.kind];
  // the lowest rooms first: what is above covers them
  for (const room of [...rooms].sort((a, b) => a.floor - b.floor)) {
    const piece = info?.pieces[room.piece];
    if (!info || !piece) continue;
    drawRoom(pen, world, structure.kind, room, piece, toCss(info.color));
  }
  pen.fillStyle = '#fff';
  pen.beginPath();
  pen.arc(structure.x + 0.5, structure.y + 0.5, 0.4, 0, 2 * Math.PI);
  pen.fill();
  return canvas;
}

function drawRoom(
  pen: CanvasRenderingContext2D,
  world: World,
  kind: number,
  room: WorldRoom,
  piece: PieceInfo,
  color: string,
): void {
  const { x, y } = room.corner;
  const { width, depth } = extentOf(room, kind, world);
  pen.fillStyle = '#0f1214';
  pen.fillRect(x, y, width, depth);
  pen.fillStyle = color;
  pen.globalAlpha = room.index === 0 ? 1 : 0.8;
  pen.fillRect(x + 1, y + 1, Math.max(width - 2, 0), Math.max(depth - 2, 0));
  pen.globalAlpha = 1;
  pen.strokeStyle = '#e7eaec';
  pen.lineWidth = 0.12;
  pen.strokeRect(x + 0.06, y + 0.06, width - 0.12, depth - 0.12);
  piece.doors.forEach((door, k) => {
    if (!(room.openDoors & (1 << k))) return;
    const at = doorBlock(door, piece, room.turn);
    pen.fillStyle = '#ffd68a';
    pen.fillRect(x + at.x, y + at.y, 1, 1);
  });
}

/** The block of a door, from the corner of its room as it is turned. */
function doorBlock(door: DoorInfo, piece: PieceInfo, turn: number): { x: number; y: number } {
  const { width, depth } = piece;
  const { at } = door;
  let { x, y } = {
    DOOR_SIDE_MIN_Y: { x: at, y: 0 },
    DOOR_SIDE_MAX_X: { x: width - 1, y: at },
    DOOR_SIDE_MAX_Y: { x: at, y: depth - 1 },
    DOOR_SIDE_MIN_X: { x: 0, y: at },
  }[door.side];
  let high = depth;
  let wide = width;
  for (let i = 0; i < turn; i += 1) {
    // a quarter from +x towards +y: (x, y) -> (-y, x)
    [x, y] = [high - 1 - y, x];
    [wide, high] = [high, wide];
  }
  return { x, y };
}
