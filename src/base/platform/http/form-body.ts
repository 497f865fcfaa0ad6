/** What a page's form sends. Only routes whose contract says `form` take it. */
export const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

/** Our forms have a few buttons. */
export const FORM_BYTES_MAX = 4_096;

/** A body that came as a form, told apart from JSON by its class until the contract has said which one it takes. */
export class FormBody {
  constructor(readonly fields: Readonly<Record<string, string>>) {}
}

export const readForm = (text: string): FormBody =>
  new FormBody(Object.fromEntries(new URLSearchParams(text)));
