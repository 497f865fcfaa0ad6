import { Controller, Headers, Inject } from '@nestjs/common';
import {
  err,
  findReason,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../../core/kernel/index.js';
import { answerWith, type HttpAnswer } from '../http/answer.js';
import type { InputOf } from '../http/contract.js';
import { Handles } from '../http/handles.js';
import { Input } from '../http/parameters.js';
import {
  readAccess,
  readDocs,
  readDocsAsset,
  readOpenApi,
  readProblemPage,
  readReasonIndex,
  readReasonPage,
} from './contracts.js';
import { DOCS_CONTENT_SECURITY_POLICY, type DocsFile } from './docs-page.js';
import { DOCUMENTATION, type Documentation, type Publication } from './publication.js';
import { printProblemPage } from './problem-pages.js';
import { printReasonIndex, printReasonPage, REASONS_PATH, SERVED_LINKS } from './reason-pages.js';

type Answered = Result<HttpAnswer, never>;

@Controller()
export class DocumentationController {
  constructor(@Inject(DOCUMENTATION) private readonly documentation: Documentation) {}

  @Handles(readOpenApi)
  openApi(@Headers('if-none-match') known: string | undefined): Answered {
    return ok(publish(this.documentation.openApi, known));
  }

  @Handles(readAccess)
  access(@Headers('if-none-match') known: string | undefined): Answered {
    return ok(publish(this.documentation.access, known));
  }

  @Handles(readDocs)
  page(): Answered {
    return ok(answerWithFile(this.documentation.site.page));
  }

  @Handles(readDocsAsset)
  asset(@Input() { params }: InputOf<typeof readDocsAsset>): Answered {
    return ok(answerWithFile(this.documentation.site.assets[params.name]));
  }

  @Handles(readProblemPage)
  problem(@Input() { params }: InputOf<typeof readProblemPage>): Answered {
    return ok(answerWithPage(printProblemPage(params.code)));
  }

  @Handles(readReasonIndex)
  reasons(): Answered {
    return ok(answerWithPage(printReasonIndex(SERVED_LINKS)));
  }

  @Handles(readReasonPage)
  reason(@Input() { params }: InputOf<typeof readReasonPage>): Result<HttpAnswer, Problem> {
    const entry = findReason(params.rule, params.code);
    return entry === null
      ? err(NO_SUCH_REASON)
      : ok(answerWithPage(printReasonPage(entry, SERVED_LINKS)));
  }
}

const NO_SUCH_REASON = problem('not_found', 'This rule does not name this reason.', {
  fix: `Follow the reason_page of the refusal; ${REASONS_PATH} lists every reason under its rule.`,
});

function publish({ bytes, etag }: Publication, known: string | undefined): HttpAnswer {
  const headers = { etag, 'cache-control': 'no-cache' };
  if (known === etag) return answerWith(undefined, { status: 304, headers });
  return answerWith(bytes, {
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
  });
}

const answerWithFile = ({ bytes, contentType }: DocsFile): HttpAnswer =>
  answerWith(bytes, {
    headers: {
      'content-type': contentType,
      'content-security-policy': DOCS_CONTENT_SECURITY_POLICY,
      'cache-control': 'no-cache',
    },
  });

const answerWithPage = (markdown: string): HttpAnswer =>
  answerWithFile({ contentType: 'text/markdown; charset=utf-8', bytes: Buffer.from(markdown) });
