import { CANARIES } from './canaries.js';

/** Where something that looks like personal data stands in the body of an entry. */
export interface Found {
  readonly what: 'canary' | 'email' | 'phone' | 'card' | 'member';
  /** A JSON pointer; empty for a body that is no JSON. */
  readonly at: string;
}

const EMAIL = /[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/i;
/** E.164 with its plus, not within a run of base64; or a word for one. */
const PHONE = /(?<![A-Za-z0-9+/=_-])\+[1-9](?:[ ().-]?\d){7,14}(?![A-Za-z0-9+/=_-])|\btel:/;
/** 13 to 19 digits as a card has them, by the first digits of the networks. */
const CARD = /(?<![A-Za-z0-9_.-])(?:[3-6]|2[2-7])(?:[ -]?\d){11,18}(?![A-Za-z0-9_.-])/g;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Members that hold money or counts: long digits there are no cards. */
const NUMBERS = /(?:_minor|^amount|^observed|^limit|^seq|_bytes)$/;

/** Words of which a member's name may not consist. */
const PERSONAL_WORDS = new Set([
  'email',
  'mail',
  'phone',
  'telephone',
  'mobile',
  'address',
  'street',
  'postcode',
  'zip',
  'city',
  'birthday',
  'birthdate',
  'dob',
  'surname',
  'firstname',
  'lastname',
  'fullname',
  'cvv',
  'aadhaar',
  'pan',
  'ip',
]);

/** Members called `name` that name no person: tenants, shops, agents, keys, goods, and what a rule measured. */
const NAMES_OF_THINGS: readonly (readonly [type: RegExp, at: RegExp])[] = [
  [/^(?:tenant|merchant|agent)\.(?:created|changed)$/, /^\/data\/name$/],
  [/^api_key\.(?:created|replaced)$/, /^\/data\/name$/],
  [/^catalog\.changed$/, /^\/data\/policies\/policies\/tables\/\d+\/name$/],
  [/^decision\.recorded$/, /^\/data\/decision\/trace\/\d+\/observations\/\d+\/name$/],
];

/** Everything in one entry that looks like personal data, by its form, by its member's name, or because a test sent it. */
export function findPersonalData(type: string, body: string): readonly Found[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    // Tests break entries too; what stands in them is looked at as a text.
    return inText(body, '');
  }
  const found: Found[] = [];
  visit(parsed, '', (value, at) => found.push(...inMember(type, at), ...inText(value, at)));
  return found;
}

/** Every value that is no list or object, and every member of one, by its place. */
function visit(value: unknown, at: string, take: (value: string, at: string) => void): void {
  if (typeof value !== 'object' || value === null) {
    take(typeof value === 'string' || typeof value === 'number' ? String(value) : '', at);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const place = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (typeof member === 'object' && member !== null) take('', place);
    // A name is a text too: buyers must not become members.
    take(name, `${place}#name`);
    visit(member, place, take);
  }
}

function inMember(type: string, at: string): readonly Found[] {
  const name = at.slice(at.lastIndexOf('/') + 1);
  if (name.endsWith('#name')) return [];
  const words = name.split(/[_\W]+/).map((word) => word.toLowerCase());
  const isName =
    words.includes('name') &&
    !NAMES_OF_THINGS.some(([types, places]) => types.test(type) && places.test(at));
  return isName || words.some((word) => PERSONAL_WORDS.has(word)) ? [{ what: 'member', at }] : [];
}

function inText(text: string, at: string): readonly Found[] {
  if (text === '') return [];
  const found: Found['what'][] = [];
  if (CANARIES.some((canary) => text.includes(canary))) found.push('canary');
  if (text.includes('@') && EMAIL.test(text)) found.push('email');
  if (PHONE.test(text)) found.push('phone');
  if (!NUMBERS.test(at.slice(at.lastIndexOf('/') + 1)) && hasCard(text)) found.push('card');
  return found.map((what) => ({ what, at }));
}

function hasCard(text: string): boolean {
  const candidates = text.length < 13 ? [] : text.replace(UUID, '').match(CARD);
  return (candidates ?? []).some((candidate) => {
    const digits = candidate.replace(/\D/g, '');
    return digits.length >= 13 && digits.length <= 19 && isLuhn(digits);
  });
}

/** The check digit of card numbers: every second digit from the right counts double. */
function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
