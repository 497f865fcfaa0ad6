import {
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTasksRequest,
  type Message,
  Role,
  type SendMessageRequest,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { A2AError } from '@a2a-js/sdk/errors';
import {
  type A2ARequestHandler,
  AgentEvent,
  DefaultRequestHandler,
  type ExecutionEventBus,
  type PushNotificationSender,
  type ServerCallContext,
} from '@a2a-js/sdk/server';
import { unauthenticated } from '../../base/platform/index.js';
import { invariant } from '../../core/kernel/index.js';
import type { KeptTasks } from './kept-tasks.js';
import type { PushConfigs } from './push-configs.js';
import { readMessage, type Wish } from './read-message.js';

/** What answers a wish: a message, or the task that the decision made. */
export type Skills = (wish: Wish, message: Message) => Promise<Message | Task>;

export interface AgentParts {
  readonly card: AgentCard;
  readonly tasks: KeptTasks;
  /** Null = nobody known calls: then products are all there is to ask about. */
  readonly pushConfigs: PushConfigs | null;
  readonly skills: Skills;
}

type Outcome = { readonly answer: Message | Task } | { readonly error: unknown };

/**
 * One call of a client, on either binding and in either version: the SDK's own handler, with what it has no place for. The SDK
 * knows only exceptions, and transports turn all of them into errors of the protocol; what is none (no key, no database)
 * waits in `failure` until the transport is done, and is answered then.
 */
export class AgentCall implements A2ARequestHandler {
  readonly #sdk: DefaultRequestHandler;
  #asked: { readonly wish: Wish; readonly message: Message } | null = null;
  #outcome: Outcome | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(private readonly parts: AgentParts) {
    const executor = {
      execute: (_context: unknown, bus: ExecutionEventBus) => this.#execute(bus),
      cancelTask: () => Promise.resolve(),
    };
    const pushStore = parts.pushConfigs ?? undefined;
    this.#sdk = new DefaultRequestHandler(
      parts.card,
      parts.tasks,
      executor,
      undefined,
      pushStore,
      NO_SENDER,
    );
  }

  /** What ended the call and is no error of the protocol; null = nothing did. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  getAgentCard(): Promise<AgentCard> {
    return this.#sdk.getAgentCard();
  }

  getAuthenticatedExtendedAgentCard(
    params: GetExtendedAgentCardRequest,
    context: ServerCallContext,
  ): Promise<AgentCard> {
    return this.#known(() => this.#sdk.getAuthenticatedExtendedAgentCard(params, context));
  }

  /**
   * The SDK looks at extensions and at the task that a message goes on with (ours have ended, so it may not); then the skill
   * is asked, and what it answers is what the caller gets, without the message that was sent.
   */
  sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    return this.#guarded(async () => {
      const { message, configuration } = params;
      if (message === undefined) return this.#sdk.sendMessage(params, context);
      const push = configuration?.taskPushNotificationConfig;
      const wish = readMessage(message);
      const isOpen =
        wish.skill === 'product-questions' && message.taskId === '' && push === undefined;
      if (!isOpen) this.#requireCaller();
      if (push !== undefined) this.parts.pushConfigs?.check(push);
      this.#asked = { wish, message };
      // Other tasks are not looked at, and what is answered at once needs no configuration.
      const plain = { ...message, referenceTaskIds: [] };
      await this.#sdk.sendMessage({ ...params, message: plain, configuration: undefined }, context);
      const outcome = this.#outcome;
      invariant(outcome !== null, 'the SDK has asked the skill');
      if ('error' in outcome) throw outcome.error;
      if (push !== undefined && 'status' in outcome.answer)
        await this.parts.pushConfigs?.saveOnce(outcome.answer, push);
      return outcome.answer;
    });
  }

  async *sendMessageStream(params: SendMessageRequest, context: ServerCallContext) {
    yield* this.#sdk.sendMessageStream(params, context);
  }

  getTask(params: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.#known(() => this.#sdk.getTask(params, context));
  }

  listTasks(params: ListTasksRequest, context: ServerCallContext) {
    return this.#known(() => this.#sdk.listTasks(params, context));
  }

  cancelTask(params: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.#known(() => this.#sdk.cancelTask(params, context));
  }

  createTaskPushNotificationConfig(
    params: TaskPushNotificationConfig,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.#known(() => this.#sdk.createTaskPushNotificationConfig(params, context));
  }

  getTaskPushNotificationConfig(
    params: GetTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.#known(() => this.#sdk.getTaskPushNotificationConfig(params, context));
  }

  listTaskPushNotificationConfigs(
    params: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ) {
    return this.#known(() => this.#sdk.listTaskPushNotificationConfigs(params, context));
  }

  deleteTaskPushNotificationConfig(
    params: DeleteTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<void> {
    return this.#known(() => this.#sdk.deleteTaskPushNotificationConfig(params, context));
  }

  async *resubscribe(params: SubscribeToTaskRequest, context: ServerCallContext) {
    yield* this.#sdk.resubscribe(params, context);
  }

  /** The SDK's event only says that the skill has answered: the answer itself does not go through it. */
  async #execute(bus: ExecutionEventBus): Promise<void> {
    invariant(this.#asked !== null, 'a message is read before it is answered');
    const { wish, message } = this.#asked;
    try {
      this.#outcome = { answer: await this.parts.skills(wish, message) };
    } catch (error) {
      this.#outcome = { error };
    }
    bus.publish(AgentEvent.message(ANSWERED));
  }

  #known<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#guarded(() => {
      this.#requireCaller();
      return work();
    });
  }

  #requireCaller(): void {
    if (this.parts.pushConfigs === null) throw unauthenticated('none');
  }

  async #guarded<Value>(work: () => Promise<Value> | Value): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof A2AError)) this.#failure = { error };
      throw error;
    }
  }
}

/** What is told to receivers stands in the table already; the sender of due messages tells it. */
const NO_SENDER: PushNotificationSender = { send: () => Promise.resolve() };

const ANSWERED: Message = {
  messageId: 'answered',
  contextId: '',
  taskId: '',
  role: Role.ROLE_AGENT,
  parts: [],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
};
