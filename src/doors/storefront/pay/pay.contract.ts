import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { PAY_BUTTONS } from '../../../money/rails/index.js';

const page = {
  path: '/pay/{token}',
  tag: 'pay-page',
  access: 'public',
  idempotency: 'none',
  params: z.strictObject({
    token: z.string().max(60).meta({ description: 'The unguessable end of a payment’s url.' }),
  }),
  page: true,
  problems: ['not_found'],
} as const;

export const showPayPage = route({
  ...page,
  method: 'GET',
  summary: 'The sandbox’s pay page, as HTML',
  description: 'Shows what is to be paid and three buttons. Looking at it changes nothing.',
  success: { status: 200, body: null },
});

export const pressPayButton = route({
  ...page,
  method: 'POST',
  summary: 'Press a button of the sandbox’s pay page',
  description:
    'Pays, fails or cancels the link, once; a link that cannot be paid any more stays as it is. Answers with the way back ' +
    'to the page. Whoever has the token may press: it is the buyer’s only credential, and there is no cookie to ride on.',
  form: true,
  body: z.strictObject({ press: z.enum(PAY_BUTTONS) }),
  success: { status: 303, body: null },
});
