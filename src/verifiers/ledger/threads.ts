import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { ExportVerifier } from '../../core/chain/index.js';
import type { ThreadPlan } from './arguments.js';
import { type Chunk, ChunkJudge, type ChunkSetting, type JudgedChunk } from './chunk.js';
import type { ExportFile } from './export-file.js';
import type { ProgressBar } from './progress-bar.js';

/** More threads than this would take more memory than a verifier should. */
const THREADS_MAX = 4;
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Starting threads costs more than they bring for less than this. */
const WORTHWHILE_BYTES = 32 * 1024 * 1024;
/** A thread holds one chunk and little else. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

/** What a thread does: judges each chunk it is sent. */
export function serveChunks(): void {
  const judge = new ChunkJudge(workerData as ChunkSetting);
  parentPort?.on('message', (chunk: Chunk) => parentPort?.postMessage(judge.judge(chunk)));
}

export interface ThreadedRead {
  readonly file: ExportFile;
  readonly verifier: ExportVerifier;
  readonly plan: ThreadPlan | null;
  /** The module whose threads call {@link serveChunks}. */
  readonly module: URL;
  readonly bar: ProgressBar;
}

/**
 * Reads the rest of a large regular file with threads, the header and a row being read already. Each judges chunks of
 * lines on their own word; here they are put together in order, and whatever does not fit together, or is anything but
 * plain sealed rows, is judged here again line by line. So the answer is the one of a single thread.
 */
export async function readWithThreads(read: ThreadedRead): Promise<void> {
  const { file, verifier, plan, bar } = read;
  const count = plan?.count ?? Math.min(availableParallelism(), THREADS_MAX);
  const context = verifier.rowContext;
  if (file.size === null || context === null || count === 0) return;
  const chunkBytes = plan?.chunkBytes ?? CHUNK_BYTES;
  if (plan?.chunkBytes === null || plan === null) {
    if (file.size - file.offset < WORTHWHILE_BYTES || count === 1) return;
  }
  const setting: ChunkSetting = {
    descriptor: file.descriptor,
    fileSize: file.size,
    context,
    unsealedCount: verifier.unsealedCount,
  };
  const pool = new Pool({ module: read.module, setting, count, chunkBytes, from: file.offset });
  try {
    for await (const chunk of pool.inOrder()) {
      if (chunk.report === null || !verifier.takeRun(chunk.report)) {
        file.seek(chunk.begin);
        let goesOn = true;
        file.lines((...line) => (goesOn = verifier.line(...line)), chunk.end);
        if (!goesOn) return;
      }
      file.seek(chunk.end);
      bar.show(chunk.end);
    }
  } finally {
    await pool.close();
  }
}

interface PoolSetting {
  readonly module: URL;
  readonly setting: ChunkSetting;
  readonly count: number;
  readonly chunkBytes: number;
  readonly from: number;
}

/** A thread that answers in the order it is asked. Null = it came to an end before, and the chunk is not judged. */
class Thread {
  /** Whether it answers what it is asked. */
  isAlive = true;
  readonly #worker: Worker;
  readonly #waiting: ((chunk: JudgedChunk | null) => void)[] = [];

  /** Throws when the machine has no room for another thread. */
  constructor(module: URL, setting: ChunkSetting) {
    this.#worker = new Worker(module, { workerData: setting, resourceLimits: THREAD_LIMITS });
    this.#worker.on('message', (chunk: JudgedChunk) => this.#waiting.shift()?.(chunk));
    // Without a listener, what ends a thread (a line that takes more memory than it has) would end the whole verifier.
    this.#worker.on('error', () => this.#ended());
    this.#worker.on('exit', () => this.#ended());
  }

  ask(chunk: Chunk): Promise<JudgedChunk | null> {
    const answer = new Promise<JudgedChunk | null>((resolve) => this.#waiting.push(resolve));
    this.#worker.postMessage(chunk);
    return answer;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #ended(): void {
    this.isAlive = false;
    for (const resolve of this.#waiting.splice(0)) resolve(null);
  }
}

/**
 * The chunks of a file one after the other, judged by all threads at once: each works on one and holds the next. What a
 * thread was asked when it ended is left to be judged where it stands, and what comes is for the others.
 */
class Pool {
  readonly #threads: readonly Thread[];
  readonly #here: ChunkJudge;

  constructor(private readonly pool: PoolSetting) {
    this.#threads = startedThreads(pool);
    this.#here = new ChunkJudge(pool.setting);
  }

  async *inOrder(): AsyncGenerator<JudgedChunk> {
    const { from, chunkBytes, setting, count } = this.pool;
    const chunkCount = Math.ceil((setting.fileSize - from) / chunkBytes);
    const ahead: { readonly chunk: Chunk; readonly judged: Promise<JudgedChunk | null> }[] = [];
    for (let index = 0, asked = 0; index < chunkCount; index += 1) {
      for (; asked < chunkCount && asked < index + 2 * count; asked += 1) {
        const begin = from + asked * chunkBytes;
        const chunk = { begin, end: Math.min(begin + chunkBytes, setting.fileSize) };
        ahead.push({ chunk, judged: this.#ask(asked, chunk) });
      }
      const next = ahead.shift();
      if (next !== undefined) yield (await next.judged) ?? this.#here.leave(next.chunk);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #ask(turn: number, chunk: Chunk): Promise<JudgedChunk | null> {
    const alive = this.#threads.filter(({ isAlive }) => isAlive);
    return (await alive[turn % alive.length]?.ask(chunk)) ?? null;
  }
}

/** So many threads, or as many as the machine has room for. */
function startedThreads({ module, setting, count }: PoolSetting): readonly Thread[] {
  const threads: Thread[] = [];
  try {
    while (threads.length < count) threads.push(new Thread(module, setting));
  } catch {
    // Fewer threads, or none, give the same answer.
  }
  return threads;
}
