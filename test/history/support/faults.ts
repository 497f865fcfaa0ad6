import type { Fault, FaultyProxy } from '../../ledger/faulty-proxy.js';
import type { FaultyWitness, WitnessFault } from './faulty-witness.js';

/** Where a write passes on its way to PostgreSQL. */
export interface DatabaseSite {
  /** Messages of the client that come before the write, in their order. */
  readonly before?: readonly RegExp[];
  /** Text in a message of the client: the first statement of the write. */
  readonly statement: RegExp;
  /** A later statement of the same transaction. */
  readonly half?: RegExp;
  /** A COMMIT makes it stand; false = its statement alone does. */
  readonly commits: boolean;
  /** What PostgreSQL answers when it is done, when nothing of it stands by that. */
  readonly answer?: RegExp;
  /** What PostgreSQL refuses the write of; `heads` = somebody holds the head for too long. */
  readonly table?: string;
  readonly operation?: 'INSERT' | 'UPDATE';
}

/** A fault that waits for its write. */
export interface Armed {
  /** The write has met it. */
  readonly met: Promise<void>;
  /** Lets go of what is held, or lets the database come back; of others nothing. Once. */
  release(): void;
  hasMet(): Promise<boolean>;
}

const COMMIT = /COMMIT\0/;
/** A statement was executed that stands by itself. */
const DONE_ALONE = /(?:INSERT 0|UPDATE|DELETE|SELECT) \d+\0Z/;

/** `arm` puts the fault in place and tells when it was met, and how it is let go of. */
export function armed(arm: (meet: (release?: () => void) => void) => void): Armed {
  let letGo: () => void = () => undefined;
  let hasMet = false;
  const met = new Promise<void>((resolve) =>
    arm((release) => {
      letGo = release ?? letGo;
      hasMet = true;
      resolve();
    }),
  );
  const release = (): void => {
    const once = letGo;
    letGo = () => undefined;
    once();
  };
  return { met, release, hasMet: () => Promise.resolve(hasMet) };
}

/** The fault meets the message that matches the last of these, once those before it were seen in their order. */
function through(proxy: FaultyProxy, [first, ...rest]: readonly RegExp[], fault: Fault): void {
  if (first === undefined) return;
  proxy.arm(first, (connection, message) => {
    if (rest.length === 0) return fault(connection, message);
    through(proxy, rest, fault);
    connection.send(message);
  });
}

const startOf = ({ before = [], statement }: DatabaseSite) => [...before, statement];
const endOf = (site: DatabaseSite) => [...startOf(site), ...(site.commits ? [COMMIT] : [])];

const cutBehind = (proxy: FaultyProxy, path: readonly RegExp[], isAway: boolean): Armed =>
  armed((meet) =>
    through(proxy, path, (connection) => {
      proxy.refusing = isAway;
      connection.cut();
      meet(() => (proxy.refusing = false));
    }),
  );

const cutAtAnswer = (proxy: FaultyProxy, site: DatabaseSite, isAway: boolean): Armed =>
  armed((meet) =>
    through(proxy, endOf(site), (connection, message) => {
      proxy.refusing = isAway;
      connection.cutAtAnswer = site.answer ?? (site.commits ? COMMIT : DONE_ALONE);
      connection.send(message);
      meet(() => (proxy.refusing = false));
    }),
  );

/** Faults of the connection to PostgreSQL. */
export const DATABASE_FAULTS = {
  /** Cut before the first statement arrives. */
  'lost on the way': (proxy: FaultyProxy, site: DatabaseSite) =>
    cutBehind(proxy, startOf(site), false),
  /** Cut between its statements. */
  'lost half way': (proxy: FaultyProxy, site: DatabaseSite) =>
    cutBehind(proxy, [...startOf(site), ...(site.half === undefined ? [] : [site.half])], false),
  /** Everything arrived but the COMMIT. */
  'lost at COMMIT': (proxy: FaultyProxy, site: DatabaseSite) =>
    cutBehind(proxy, endOf(site), false),
  /** As lost on the way, and PostgreSQL is away until the caller was answered. */
  'database away': (proxy: FaultyProxy, site: DatabaseSite) =>
    cutBehind(proxy, startOf(site), true),
  /** PostgreSQL keeps it, and the connection is cut before anybody hears of it. */
  'kept, answer lost': (proxy: FaultyProxy, site: DatabaseSite) => cutAtAnswer(proxy, site, false),
  /** As before, and PostgreSQL is away until the caller was answered. */
  'kept, database away': (proxy: FaultyProxy, site: DatabaseSite) => cutAtAnswer(proxy, site, true),
  /** Held at the end until others were served. */
  slow: (proxy: FaultyProxy, site: DatabaseSite) =>
    armed((meet) =>
      through(proxy, endOf(site), (connection, message) => meet(connection.hold(message))),
    ),
  /** Held for longer than the writer waits for an answer. */
  silent: (proxy: FaultyProxy, site: DatabaseSite) =>
    armed((meet) =>
      through(proxy, endOf(site), (connection, message) => {
        connection.hold(message);
        meet();
      }),
    ),
};

const submission = (witness: FaultyWitness, fault: WitnessFault): Armed =>
  armed((meet) =>
    witness.arm(async (one) => {
      await fault(one);
      meet();
    }),
  );

/** Faults of the way to the witness. */
export const WITNESS_FAULTS = {
  'lost on the way': (witness: FaultyWitness) => submission(witness, ({ cut }) => cut()),
  'refused for now': (witness: FaultyWitness) =>
    submission(witness, ({ answer }) =>
      answer({ status: 503, headers: {}, body: Buffer.alloc(0) }),
    ),
  /** It cosigned and keeps that, and its answer is lost. */
  'kept, answer lost': (witness: FaultyWitness) =>
    submission(witness, async ({ forward, cut }) => {
      await forward();
      cut();
    }),
  /** Its answer is held until others were served. */
  slow: (witness: FaultyWitness) =>
    armed((meet) =>
      witness.arm(async ({ forward, answer }) => {
        const reply = await forward();
        meet(() => answer(reply));
      }),
    ),
  /** It cosigned, and its answer comes after nobody waits for it any more. */
  silent: (witness: FaultyWitness) =>
    submission(witness, async ({ forward }) => void (await forward())),
};
