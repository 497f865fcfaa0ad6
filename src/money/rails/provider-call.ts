import type { TenantId } from '../../core/kernel/index.js';

/** One request to a payment provider, as it would go over HTTP. `account` stands for the credential it is sent with. */
export interface ProviderCall {
  readonly account: TenantId;
  readonly method: 'GET' | 'POST';
  /** Segments are already percent-encoded. */
  readonly path: string;
  /** JSON text; null = none. */
  readonly body: string | null;
}

export interface ProviderReply {
  readonly status: number;
  /** As sent: it may be anything. */
  readonly text: string;
}

/**
 * Sends one call. Rejects when no answer came: the connection broke, or `deadline` passed. Then nobody knows whether the
 * provider did what it was asked.
 */
export type ProviderTransport = (
  call: ProviderCall,
  deadline: AbortSignal,
) => Promise<ProviderReply>;

/** What a provider in this process answers with; it may take any time, and it may break. */
export interface ProviderService {
  handle(call: ProviderCall): Promise<ProviderReply>;
}

/** The way to a provider in this process: its work goes on when nobody waits for the answer any more. */
export const inProcess =
  (service: ProviderService): ProviderTransport =>
  (call, deadline) =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new Error('the deadline passed'));
      if (deadline.aborted) return giveUp();
      deadline.addEventListener('abort', giveUp, { once: true });
      service
        .handle(call)
        .then(resolve, reject)
        .finally(() => deadline.removeEventListener('abort', giveUp));
    });
