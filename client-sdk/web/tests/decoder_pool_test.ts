import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeChunk, DecoderPool, FormatError, type StartWorker } from '../src/index.js';
import { readVector, textOf, vectorNames } from './vectors.js';
import { startText, startThread, workerFile } from './worker_threads.js';

/** Runs `body` with a pool, which is closed at last. */
async function withPool(
  workers: number,
  start: StartWorker,
  body: (pool: DecoderPool) => Promise<void>,
): Promise<void> {
  const pool = new DecoderPool(workerFile, workers, start);
  try {
    await body(pool);
  } finally {
    pool.close();
  }
}

test('workers decode what the page itself would', () =>
  withPool(2, startThread, async (pool) => {
    const vectors = vectorNames.map(readVector);
    const chunks = await Promise.all(vectors.map((bytes) => pool.decode(bytes)));
    assert.deepEqual(
      chunks.map(textOf),
      vectors.map((bytes) => textOf(decodeChunk(bytes))),
    );
  }));

test('the bytes remain the caller’s, also where they are a part of a larger buffer', () =>
  withPool(1, startThread, async (pool) => {
    const vector = readVector('full_32');
    const bundle = new Uint8Array(100 + vector.length);
    bundle.set(vector, 50);
    const bytes = bundle.subarray(50, 50 + vector.length);
    const chunk = await pool.decode(bytes);
    assert.equal(textOf(chunk), textOf(decodeChunk(bytes)));
    assert.equal(bundle.length, 100 + vector.length);
  }));

test('damaged bytes reject with a FormatError, and the worker goes on', () =>
  withPool(1, startThread, async (pool) => {
    await assert.rejects(pool.decode(readVector('refused/magic')), FormatError);
    assert.equal((await pool.decode(readVector('full_32'))).size, 32);
  }));

test('only wanted layers are decoded', () =>
  withPool(1, startThread, async (pool) => {
    const chunk = await pool.decode(readVector('full_32'), undefined, ['height']);
    assert.deepEqual(Object.keys(chunk.layers), ['height']);
  }));

test('an aborted job rejects with the reason, waiting or begun, and others are not touched', () =>
  withPool(1, startThread, async (pool) => {
    const bytes = readVector('full_64');
    const aborts = Array.from({ length: 6 }, () => new AbortController());
    const jobs = aborts.map(({ signal }) => pool.decode(bytes, signal));
    const reason = new Error('out of view');
    aborts[0].abort(reason);
    aborts[4].abort(reason);
    const results = await Promise.allSettled(jobs);
    const states = results.map(({ status }) => status === 'fulfilled');
    assert.deepEqual(states, [false, true, true, true, false, true]);
    assert.equal((results[0] as PromiseRejectedResult).reason, reason);
    await assert.rejects(pool.decode(bytes, AbortSignal.abort(reason)), reason);
  }));

test('a worker that breaks is replaced, and its jobs are done by the next', () => {
  let starts = 0;
  const breakFirst: StartWorker = (url) =>
    ++starts === 1
      ? startText('self.onmessage = () => { throw new Error("broken"); };')
      : startThread(url);
  return withPool(1, breakFirst, async (pool) => {
    const jobs = [1, 2, 3, 4].map(() => pool.decode(readVector('full_32')));
    assert.deepEqual(
      (await Promise.all(jobs)).map((chunk) => chunk.size),
      [32, 32, 32, 32],
    );
    assert.equal(starts, 2);
  });
});

test('where no worker runs jobs reject instead of waiting for ever', () =>
  withPool(
    2,
    () => startText('throw new Error("no script");'),
    async (pool) => {
      const jobs = [1, 2, 3, 4, 5, 6].map(() => pool.decode(readVector('full_32')));
      for (const result of await Promise.allSettled(jobs)) {
        assert.equal(result.status, 'rejected');
        assert.match(String((result as PromiseRejectedResult).reason), /no script/);
      }
    },
  ));

test('where no worker may be started jobs reject, and others may be tried', () => {
  let isAllowed = false;
  const start: StartWorker = (url) => {
    if (!isAllowed) throw new Error('not by this policy');
    return startThread(url);
  };
  return withPool(1, start, async (pool) => {
    const refused = [1, 2].map(() => pool.decode(readVector('full_32')));
    for (const job of refused) await assert.rejects(job, /not by this policy/);
    isAllowed = true;
    assert.equal((await pool.decode(readVector('full_32'))).size, 32);
  });
});

test('closing a pool rejects what is not done and what comes later', async () => {
  const pool = new DecoderPool(workerFile, 1, startThread);
  const job = pool.decode(readVector('full_64'));
  pool.close();
  await assert.rejects(job, { status: 'CANCELLED' });
  await assert.rejects(pool.decode(readVector('full_32')), { status: 'CANCELLED' });
});
