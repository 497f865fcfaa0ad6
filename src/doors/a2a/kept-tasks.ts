import { type ListTasksRequest, type ListTasksResponse, Task, TaskState } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';
import type { Queryable } from '../../base/platform/index.js';
import { malformed } from './errors.js';
import { TASK_PAGE_DEFAULT } from './limits.js';
import {
  type EndedState,
  findTask,
  listTasks,
  type StoredTask,
  type TaskPlace,
  type Viewer,
} from './tasks.store.js';

const STATES: ReadonlyMap<TaskState, EndedState> = new Map([
  [TaskState.TASK_STATE_COMPLETED, 'completed'],
  [TaskState.TASK_STATE_REJECTED, 'rejected'],
]);

export const endedStateOf = (task: Task): EndedState =>
  STATES.get(task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED) ?? 'rejected';

export const printStored = ({ text }: StoredTask): Task => Task.fromJSON(JSON.parse(text));

/** The SDK's view of one viewer's tasks. A viewer of null sees none. */
export class KeptTasks implements TaskStore {
  constructor(
    private readonly database: Queryable,
    private readonly viewer: Viewer | null,
  ) {}

  /** Nothing is left to do: a task is written by whoever decided, before the SDK hears of it. */
  save(): Promise<void> {
    return Promise.resolve();
  }

  async load(taskId: string): Promise<Task | undefined> {
    if (this.viewer === null) return undefined;
    const stored = await findTask(this.database, this.viewer, taskId);
    return stored === null ? undefined : printStored(stored);
  }

  async list(request: ListTasksRequest): Promise<ListTasksResponse> {
    const { contextId, status, statusTimestampAfter, pageToken } = request;
    const size = request.pageSize ?? TASK_PAGE_DEFAULT;
    const empty = { tasks: [], nextPageToken: '', pageSize: size, totalSize: 0 };
    if (this.viewer === null) return empty;
    const found = await listTasks(this.database, this.viewer, {
      filter: {
        contextId: contextId === '' ? null : contextId,
        states: statesOf(status),
        afterMs: statusTimestampAfter === undefined ? null : instantOf(statusTimestampAfter),
        after: pageToken === '' ? null : placeOf(pageToken),
      },
      // One more than asked for tells whether there is a next page.
      size: size + 1,
    });
    const page = found.tasks.slice(0, size);
    const last = page.at(-1);
    const isMore = found.tasks.length > size && last !== undefined;
    return {
      tasks: page.map((stored) => {
        const task = printStored(stored);
        return request.includeArtifacts === true ? task : { ...task, artifacts: [] };
      }),
      nextPageToken: isMore ? tokenOf(last) : '',
      pageSize: size,
      totalSize: found.total,
    };
  }
}

function statesOf(status: TaskState): readonly EndedState[] | null {
  if (status === TaskState.TASK_STATE_UNSPECIFIED) return null;
  const state = STATES.get(status);
  return state === undefined ? [] : [state];
}

/** The SDK has looked that it is a date; one that a database cannot hold finds nothing, like one in the far future. */
function instantOf(text: string): number {
  const atMs = Date.parse(text);
  return Number.isFinite(atMs) ? atMs : Number.MAX_SAFE_INTEGER;
}

const tokenOf = ({ statusAtMs, taskId }: TaskPlace): string => `${statusAtMs}.${taskId}`;

const TOKEN = /^(-?\d{1,15})\.([0-9a-f-]{36})$/;

function placeOf(token: string): TaskPlace {
  const [, statusAtMs, taskId] = TOKEN.exec(token) ?? [];
  if (statusAtMs === undefined || taskId === undefined)
    throw malformed('This is no page token of ours.', {
      fix: 'Send the nextPageToken of an earlier page, or none.',
      field: '?pageToken',
    });
  return { statusAtMs: Number(statusAtMs), taskId };
}
