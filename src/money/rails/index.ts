export { type MoreRails, RailsModule } from './rails.module.js';
export {
  type Behaviour,
  ISSUE_BEHAVIOURS,
  LATE_PAYMENT_BEHAVIOURS,
  LOOK_UP_BEHAVIOURS,
  MONEY_BEHAVIOURS,
  WEBHOOK_BEHAVIOURS,
} from './sandbox/behaviour.js';
export { PAY_BUTTONS, PayPage, type PayPageView } from './sandbox/pay-page.js';
export { SandboxDesk, SECRET_OVERLAP_SECONDS_MAX } from './sandbox/sandbox-desk.js';
export type { SentEvent } from './sandbox/sandbox-events.store.js';
export { type ReceivedWebhook, WebhookReceiver } from './webhooks/receive-webhook.js';
export { WEBHOOK_OUTCOMES, webhookEvents } from './webhooks/webhook-events.js';
