import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors';
import { type Message, type Part, Role } from '@a2a-js/sdk';
import { isVisibleText } from '../../core/kernel/index.js';
import { malformed } from './errors.js';
import {
  CHOSEN_NAME_CHARACTERS_MAX,
  PARTS_MAX,
  QUESTION_CHARACTERS_MAX,
  REFERENCES_MAX,
} from './limits.js';

/** What is asked of the shop's products: by its ids, or in words. */
export type ProductQuestion =
  { readonly productId: string } | { readonly variantId: string } | { readonly words: string };

/** One of the card's skills, chosen by what the message holds. */
export type Wish =
  | { readonly skill: 'product-questions'; readonly question: ProductQuestion }
  | { readonly skill: 'purchase-decision'; readonly data: object }
  | { readonly skill: 'decision-explanation'; readonly decisionId: string };

/**
 * What a message wants. A data part speaks for the message; beside it, words are for people. Words alone are a question
 * about products: nothing is ever bought because of them.
 * Throws what the protocol answers, in order: a name or number out of bounds, another role than the user's, a part that is
 * no text and no data (ContentTypeNotSupported), more than one data part, a data part that no skill reads.
 */
export function readMessage(message: Message): Wish {
  checkBounds(message);
  const data: unknown[] = [];
  const words: string[] = [];
  for (const part of message.parts) {
    const { content } = part;
    if (content?.$case === 'data') data.push(content.value);
    else if (content?.$case === 'text') words.push(content.value);
    else throw notRead(part);
  }
  if (data.length > 1)
    throw malformed('The message has more than one data part.', {
      fix: 'Ask for one thing in one message.',
      field: '/message/parts',
    });
  return data.length === 1 ? wishOfData(data[0]) : wishOfWords(words);
}

function checkBounds({ messageId, contextId, taskId, role, parts, ...more }: Message): void {
  for (const [name, value] of Object.entries({ messageId, contextId, taskId }))
    if (value.length > CHOSEN_NAME_CHARACTERS_MAX || !isVisibleText(value))
      throw malformed(`${name} is no name of one line.`, {
        fix: `Send at most ${CHOSEN_NAME_CHARACTERS_MAX} visible characters.`,
        field: `/message/${name}`,
      });
  if (messageId === '')
    throw malformed('The message has no messageId.', {
      fix: 'Choose one, and the same one when you repeat the message.',
      field: '/message/messageId',
    });
  if (role !== Role.ROLE_USER)
    throw malformed('A message to this agent has the role of the user.', {
      fix: 'Send ROLE_USER.',
      field: '/message/role',
    });
  if (parts.length === 0 || parts.length > PARTS_MAX)
    throw malformed(`A message has 1 to ${PARTS_MAX} parts.`, {
      fix: 'Send a data part, or a question in words.',
      field: '/message/parts',
    });
  if (more.referenceTaskIds.length > REFERENCES_MAX || more.extensions.length > REFERENCES_MAX)
    throw malformed(`A message names at most ${REFERENCES_MAX} tasks and extensions.`, {
      fix: 'Name fewer.',
      field: '/message',
    });
}

const notRead = ({ content, mediaType }: Part): Error =>
  new ContentTypeNotSupportedError({
    message:
      content === undefined
        ? 'A part holds neither text nor data.'
        : `Files are not read here${mediaType === '' ? '' : ' (a part declares a media type)'}: send text and data parts.`,
  });

function wishOfData(data: unknown): Wish {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw unknownData();
  const { flow, decision_id, product_id, variant_id, query } = data as Record<string, unknown>;
  if (flow !== undefined) return { skill: 'purchase-decision', data };
  if (decision_id !== undefined)
    return { skill: 'decision-explanation', decisionId: textOf(decision_id, 'decision_id') };
  const question = questionOf({ product_id, variant_id, query });
  if (question === null) throw unknownData();
  return { skill: 'product-questions', question };
}

function questionOf(asked: Readonly<Record<string, unknown>>): ProductQuestion | null {
  const { product_id, variant_id, query } = asked;
  if (product_id !== undefined) return { productId: textOf(product_id, 'product_id') };
  if (variant_id !== undefined) return { variantId: textOf(variant_id, 'variant_id') };
  return query === undefined ? null : { words: textOf(query, 'query') };
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length > 0 && value.length <= QUESTION_CHARACTERS_MAX)
    return value;
  throw malformed(`${name} is no text of 1 to ${QUESTION_CHARACTERS_MAX} characters.`, {
    fix: 'Send it as a JSON string.',
    field: `/message/parts/data/${name}`,
  });
}

const unknownData = (): Error =>
  malformed('No skill of this agent reads this data part.', {
    fix:
      'Send the body of POST /v1/decisions (with flow) for a decision, {"decision_id"} for its explanation, or ' +
      '{"product_id"}, {"variant_id"} or {"query"} for a question about products.',
    field: '/message/parts',
  });

function wishOfWords(texts: readonly string[]): Wish {
  const words = texts.join(' ').trim();
  if (words === '')
    throw malformed('The message says nothing.', {
      fix: 'Send a data part, or a question in words.',
      field: '/message/parts',
    });
  if (words.length > QUESTION_CHARACTERS_MAX)
    throw malformed(`A question has at most ${QUESTION_CHARACTERS_MAX} characters.`, {
      fix: 'Name the product in fewer words.',
      field: '/message/parts',
    });
  return { skill: 'product-questions', question: { words } };
}
