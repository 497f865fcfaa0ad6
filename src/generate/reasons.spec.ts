import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AGENT_PAYMENT_RULES,
  HANDOFF_RULES,
  REASON_CATALOGUE,
  type ReasonEntry,
  REASONS,
  REFUND_RULES,
} from '../core/kernel/index.js';
import { brokenPromises, PUBLISHED_REASONS, reasonFiles } from './reason-files.js';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string | null =>
  existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : null;

const published = JSON.parse(read(PUBLISHED_REASONS) ?? '[]') as ReasonEntry[];
const first = published[0] ?? expect.fail('the catalogue is published');

describe('the reason catalogue', () => {
  it('keeps what it published: no entry removed, reworded or moved', () => {
    expect(brokenPromises(published)).toEqual([]);
  });

  it('publishes every entry, each with its page, and no page of anything else', () => {
    const files = reasonFiles(read(PUBLISHED_REASONS));
    for (const [path, text] of Object.entries(files))
      expect(read(path), `${path}: run npm run generate`).toBe(text);
    const pages = readdirSync(join(ROOT, 'docs/reasons'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/reasons/${name}`);
    expect(pages.filter((path) => !(path in files))).toEqual([]);
  });

  it('has one entry per rule and code, the rules in their fixed order', () => {
    const keys = REASON_CATALOGUE.map(({ rule, code }) => `${rule}/${code}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(Object.keys(REASONS)).toEqual([
      ...AGENT_PAYMENT_RULES,
      ...HANDOFF_RULES,
      ...REFUND_RULES,
      'agent_executed_payment',
      'allow_use',
    ]);
    const pseudoRules = ['agent_executed_payment', 'allow_use'];
    for (const [rule, reasons] of Object.entries<readonly ReasonEntry[]>(REASONS)) {
      expect(reasons.every((entry) => entry.rule === rule)).toBe(true);
      if (!pseudoRules.includes(rule)) expect(reasons.at(-1)?.code).toBe('rule_error');
    }
  });

  it('speaks in whole sentences and gives no limit away', () => {
    for (const { code, text, fix, requiredConfig } of REASON_CATALOGUE) {
      expect(code).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(text, code).toMatch(/^[A-Z].*\.$/);
      expect(fix, code).toMatch(/^[A-Z].*\.$/);
      expect(requiredConfig, code).not.toBe('');
    }
  });
});

describe('what breaks a promise', () => {
  it('a removed, a reworded and a moved entry are found; an inserted one is fine', () => {
    const key = `${first.rule}/${first.code}`;
    expect(brokenPromises(published, published.slice(1))).toEqual([`${key} was removed`]);
    const reworded = published.map((entry) =>
      entry === first ? { ...entry, text: 'Other.' } : entry,
    );
    expect(brokenPromises(published, reworded)).toEqual([`${key} was reworded`]);
    const second = published[1] ?? expect.fail('two entries');
    const moved = [second, first, ...published.slice(2)];
    expect(brokenPromises(published, moved)).toEqual([`${second.rule}/${second.code} was moved`]);
    const inserted = [first, { ...first, code: 'something_new' }, ...published.slice(1)];
    expect(brokenPromises(published, inserted)).toEqual([]);
  });

  it('nothing is printed over a broken promise', () => {
    const promised = JSON.stringify([{ ...first, code: 'gone' }]);
    expect(() => reasonFiles(promised)).toThrow('gone was removed');
  });
});
