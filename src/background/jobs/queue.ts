import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPostgresBackend,
  Queue as RedisQueue,
  Worker as RedisWorker,
  withBackend,
} from 'bullmq';
import { StartRefused } from '../../base/platform/index.js';
import { openQueuePool } from './queue-pool.store.js';

/** Where the tick is kept: one for all processes of a deployment. */
export type QueueStore =
  | { readonly kind: 'postgres'; readonly connectionString: string }
  | { readonly kind: 'redis'; readonly url: string };

const QUEUE_NAME = 'due-work';
const SCHEDULER_ID = 'tick';
/** Longest wait for a connection that does not end, when the queue is closed. */
const CLOSE_MS_MAX = 2_000;
/** A store that has not let us in by then is away. */
const OPEN_MS_MAX = 10_000;

export interface QueueEvents {
  readonly onTick: () => Promise<void>;
  /** Whatever goes wrong; may be told more than once. */
  readonly onError: (error: Error) => void;
}

export interface OpenQueue {
  /** Makes sure that there is one tick every so often, for all processes together. */
  schedule(everyMs: number): Promise<void>;
  /** Takes no more ticks; unless `force`, what is stored of the last one is brought to its end. Never rejects. */
  close(force: boolean): Promise<void>;
}
export type OpensQueue = (events: QueueEvents) => Promise<OpenQueue>;

/**
 * How to connect to a store. Throws StartRefused: REDIS_URL without the package that speaks to Redis. Not checked: that
 * the store answers.
 */
export function queueOpener(store: QueueStore): OpensQueue {
  if (store.kind === 'redis') requireRedisDriver();
  return (events) => openQueue(store, events);
}

function requireRedisDriver(): void {
  try {
    createRequire(import.meta.url).resolve('ioredis');
  } catch {
    throw new StartRefused(
      'REDIS_URL is given, but the package ioredis is not installed: install it (npm install ioredis), or leave REDIS_URL ' +
        'out, and the jobs run on PostgreSQL.',
    );
  }
}

async function openQueue(store: QueueStore, { onTick, onError }: QueueEvents): Promise<OpenQueue> {
  const { queue, worker, release } = await partsOf(store, onTick);
  queue.on('error', onError);
  worker.on('error', onError);
  const close = async (force: boolean): Promise<void> => {
    const closed = Promise.allSettled([worker.close(force), queue.close()])
      .then(release)
      .catch(() => undefined);
    await Promise.race([closed, afterwards(CLOSE_MS_MAX, null)]);
  };
  try {
    const ready = Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
    ready.catch(() => undefined);
    const inTime = await Promise.race([ready.then(() => true), afterwards(OPEN_MS_MAX, false)]);
    if (!inTime) throw new Error(`no answer in ${OPEN_MS_MAX} ms`);
  } catch (error) {
    await close(true);
    throw error;
  }
  worker.run().catch(onError);
  return {
    schedule: async (everyMs) => {
      const opts = { removeOnComplete: true, removeOnFail: true };
      await queue.upsertJobScheduler(SCHEDULER_ID, { every: everyMs }, { name: 'tick', opts });
    },
    close,
  };
}

/** Two ticks never run at once in one process: one job at a time. */
const WORKER_OPTIONS = { concurrency: 1, autorun: false } as const;

async function partsOf(store: QueueStore, onTick: () => Promise<void>) {
  if (store.kind === 'redis') {
    const connection = { url: store.url, maxRetriesPerRequest: null };
    return {
      queue: new RedisQueue(QUEUE_NAME, { connection }),
      worker: new RedisWorker(QUEUE_NAME, onTick, { ...WORKER_OPTIONS, connection }),
      release: () => undefined,
    };
  }
  const { Queue, Worker } = withBackend(createPostgresBackend);
  const connection = await openQueuePool(store.connectionString);
  return {
    queue: new Queue(QUEUE_NAME, { connection }),
    worker: new Worker(QUEUE_NAME, onTick, { ...WORKER_OPTIONS, connection }),
    release: () => connection.end(),
  };
}

const afterwards = <Value>(ms: number, value: Value): Promise<Value> =>
  sleep(ms, value, { ref: false });
