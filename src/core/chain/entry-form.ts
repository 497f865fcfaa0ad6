import { BodyScanner } from './body-scanner.js';

const LEDGER_TYPES = Uint8Array.from(Buffer.from('ledger.', 'latin1'));
const OPENED = 'ledger.opened';
const SEALING_SWITCHED = 'ledger.sealing_switched';

/** What a verifier reads of a body. */
export class EntryForm {
  /** Whether the body is one of an entry at its place: canonical, and of type `ledger.opened` at seq 0 and only there. */
  isEntry = false;
  /** What an entry says about sealing from itself on; null for most. A body that is no entry's says nothing. */
  declaredSealing: boolean | null = null;

  readonly #scanner = new BodyScanner();

  /** Reads a body: UTF-8 with a zero byte behind it (see {@link BodyScanner}). */
  read(place: BodyPlace): void {
    const { bytes, begin, end, seq } = place;
    const scanner = this.#scanner;
    this.declaredSealing = null;
    this.isEntry = scanner.scan(bytes, begin, end);
    const isOfLedger = this.isEntry && scanner.typeStartsWith(LEDGER_TYPES);
    const type = isOfLedger ? scanner.type : '';
    this.isEntry &&= (seq === 0) === (type === OPENED);
    if (this.isEntry && isOfLedger) this.declaredSealing = sealingIn(type, scanner.data);
  }

  readText(body: string, seq: number): void {
    const bytes = Buffer.from(`${body}\0`, 'utf8');
    this.read({ bytes, begin: 0, end: bytes.length - 1, seq });
  }
}

export interface BodyPlace {
  readonly bytes: Uint8Array;
  readonly begin: number;
  readonly end: number;
  readonly seq: number;
}

/** `data` is canonical text. */
function sealingIn(type: string, data: string): boolean | null {
  if (type !== OPENED && type !== SEALING_SWITCHED) return null;
  const members = membersOf(JSON.parse(data));
  const state = type === OPENED ? membersOf(members['sealing']) : members;
  return state['on'] === true;
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
