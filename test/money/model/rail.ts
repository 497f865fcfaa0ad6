import type {
  ChargeOutcome,
  ChargeRail,
  ConsumedAllow,
  IssueOutcome,
  LinkRail,
  RailPayment,
  RefundOutcome,
  RefundRail,
} from '../../../src/money/payments/index.js';
import type { Stage } from './stage.js';

/** What the provider makes of the next call that moves money. */
export interface Script {
  readonly link: 'issued' | 'rejected' | 'unknown' | 'breaks';
  readonly charge: 'captured' | 'part' | 'accepted' | 'failed' | 'rejected' | 'unknown';
  readonly refund: 'done' | 'accepted' | 'failed' | 'unknown';
}

const detail = 'as scripted';

/** A provider inside the process: does as the script says, and remembers every reference it was called for. */
export class ScriptedRail implements LinkRail, ChargeRail, RefundRail {
  readonly provider = 'sandbox';
  script: Script = { link: 'issued', charge: 'captured', refund: 'done' };

  constructor(
    private readonly stage: Stage,
    private readonly name: string,
    /** References in the order of the calls. */
    readonly calls: string[],
  ) {}

  issueLink(consumed: ConsumedAllow): Promise<IssueOutcome> {
    const { link: kind } = this.script;
    return this.call(consumed, (reference) => {
      if (kind === 'breaks') throw new Error(detail);
      if (kind !== 'issued') return { kind, detail };
      return { kind, providerRef: `ref-${reference}`, url: `https://pay.example/${reference}` };
    });
  }

  charge(consumed: ConsumedAllow): Promise<ChargeOutcome> {
    const { charge } = this.script;
    return this.call(consumed, (reference) => {
      const providerRef = `ref-${reference}`;
      if (charge === 'accepted') return { kind: charge, providerRef };
      if (charge !== 'captured' && charge !== 'part') return { kind: charge, detail };
      const { money } = consumed.parts;
      const amountMinor = charge === 'part' ? money.amountMinor / 2n : money.amountMinor;
      const captureId = `charged-${reference}`;
      return { kind: 'captured', providerRef, captureId, money: { ...money, amountMinor } };
    });
  }

  refund(consumed: ConsumedAllow): Promise<RefundOutcome> {
    const { refund: kind } = this.script;
    return this.call(consumed, (reference) =>
      kind === 'failed' || kind === 'unknown'
        ? { kind, detail }
        : { kind, providerRef: `ref-${reference}` },
    );
  }

  cancelLink(payment: RailPayment): Promise<{ canceled: boolean }> {
    return this.stage.pass(`${this.name} rail cancel ${payment.paymentId}`, () =>
      Promise.resolve({ canceled: true }),
    );
  }

  lookUp(): never {
    throw new Error('nobody reconciles here');
  }

  lookUpRefund(): never {
    throw new Error('nobody reconciles here');
  }

  private call<Outcome>(
    consumed: ConsumedAllow,
    outcome: (reference: string) => Outcome,
  ): Promise<Outcome> {
    const { reference } = consumed.parts;
    this.calls.push(reference);
    return this.stage.pass(`${this.name} rail ${reference}`, () =>
      Promise.resolve().then(() => outcome(reference)),
    );
  }
}
