/** Where a viewer is. */
import { TerraneError } from '../errors.js';

/** Where the viewer is: blocks, blocks a second; of the direction only the angle counts. */
export interface Pose {
  x: number;
  y: number;
  velocityX?: number;
  velocityY?: number;
  directionX?: number;
  directionY?: number;
}

const maxVelocity = 1e6; // blocks a second, either way
const maxChunks = 2 ** 40;

/** The pose with all its fields. */
export function completePose(pose: Pose): Required<Pose> {
  const { x, y, velocityX = 0, velocityY = 0, directionX = 0, directionY = 0 } = pose;
  return { x, y, velocityX, velocityY, directionX, directionY };
}

/** Whether two poses are the same to the server. */
export function isSamePose(a: Required<Pose>, b: Required<Pose>): boolean {
  return (
    a.x === b.x &&
    a.y === b.y &&
    a.velocityX === b.velocityX &&
    a.velocityY === b.velocityY &&
    a.directionX === b.directionX &&
    a.directionY === b.directionY
  );
}

/**
 * Refuses what no server would take.
 * @param chunkSize  of the world
 * @throws TerraneError  INVALID_ARGUMENT, or OUT_OF_RANGE outside of the world
 */
export function checkPose(pose: Required<Pose>, chunkSize: number): void {
  if (!Object.values(pose).every(Number.isFinite)) {
    throw new TerraneError({
      status: 'INVALID_ARGUMENT',
      message: 'pose: every value must be a finite number',
    });
  }
  const low = -maxChunks * chunkSize;
  const high = (maxChunks + 1) * chunkSize - 1;
  for (const name of ['x', 'y'] as const) {
    if (pose[name] >= low && pose[name] < high + 1) continue;
    refuse(
      name,
      pose[name],
      `${low} to ${high}`,
      `the world's blocks reach from ${low} to ${high}`,
    );
  }
  for (const name of ['velocityX', 'velocityY'] as const) {
    if (Math.abs(pose[name]) <= maxVelocity) continue;
    refuse(name, pose[name], `${maxVelocity}`, `at most ${maxVelocity} blocks a second either way`);
  }
}

function refuse(name: string, value: number, limit: string, what: string): never {
  throw new TerraneError({
    status: 'OUT_OF_RANGE',
    message: `pose.${name} = ${value}: ${what}`,
    reason: 'FIELD_OUT_OF_RANGE',
    field: `pose.${name}`,
    value: String(value),
    limit,
  });
}
