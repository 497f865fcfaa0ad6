import { Controller, Headers, Inject } from '@nestjs/common';
import { answerWith, Handles, PublicHost } from '../../base/platform/index.js';
import { ok } from '../../core/kernel/index.js';
import { readCard } from './a2a.contract.js';
import { SIGNED_CARDS } from './a2a.tokens.js';
import type { SignedCards } from './signed-cards.js';

/** How long others may keep a card: far below the overlap of its key. */
const CACHED = 'public, max-age=300';

@Controller()
export class CardController {
  constructor(@Inject(SIGNED_CARDS) private readonly cards: SignedCards) {}

  @Handles(readCard)
  async card(@PublicHost() host: string, @Headers('if-none-match') known: string | undefined) {
    const card = await this.cards.read(host);
    if (!card.ok) return card;
    const { text, etag } = card.value;
    const headers = { etag, 'cache-control': CACHED };
    const isKnown = (known ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
    if (isKnown) return ok(answerWith('', { status: 304, headers }));
    const type = { 'content-type': 'application/json; charset=utf-8' };
    return ok(answerWith(text, { headers: { ...headers, ...type } }));
  }
}
