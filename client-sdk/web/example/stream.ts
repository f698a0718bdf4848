// Walks through a world and prints what comes: `npm run example -- ws://127.0.0.1:4151/v1/explore`.
import { decodeChunk, Explorer, type WebSocketClass } from '@terrane/client';
import { WebSocket } from 'ws'; // browsers have one of their own

const explorer = new Explorer({
  url: process.argv[2] ?? 'ws://127.0.0.1:4151/v1/explore',
  world: { world: 'continents', seed: '7' },
  viewDistances: [4, 4, 4],
  webSocket: WebSocket as unknown as WebSocketClass,
});

let x = 0;
const walk = setInterval(() => {
  explorer.move({ x: (x += 8), y: 0, velocityX: 160, directionX: 1 }); // blocks
  for (const event of explorer.poll()) {
    if (event.type === 'chunk') {
      const { layers, size } = decodeChunk(event.bytes);
      const height = (layers.height?.[0] ?? 0) / 16;
      console.log(event.tile, `${size} x ${size} samples, the first ${height} blocks high`);
    } else {
      console.log(event);
    }
    if (event.type === 'ended') clearInterval(walk);
  }
}, 50);

process.once('SIGINT', () => (clearInterval(walk), explorer.close()));
