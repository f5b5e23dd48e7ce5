/** How to begin, where nothing was ever called: the address of the proxy, and a call to paste. */
import { v1Auth } from '../../contract/auth.ts';
import { v1Endpoints } from '../../contract/endpoints.ts';
import { type Html, html } from './escape.ts';

/** Where a proxy listens that was given no other address. */
const usualProxy = 'http://127.0.0.1:8080';

/** @param proxyUrl where the proxy listens that shows the page; a file knows of none */
export function startSection(proxyUrl: string | undefined): Html {
  const { path } = v1Endpoints.listContacts;
  const curl = `curl ${proxyUrl ?? usualProxy}${path} -H '${v1Auth.field}: YOUR_V1_KEY'`;
  const where =
    proxyUrl === undefined
      ? html`The proxy listens on <code>${usualProxy}</code> where you said nothing else.`
      : html`This proxy listens on <code>${proxyUrl}</code>.`;
  return html`<section id="start-section" aria-labelledby="start-title">
    <h2 id="start-title">Send the first call</h2>
    <p>
      ${where} Whoever calls v1 through it is on this page ${proxyUrl === undefined ? 'of the next report' : 'at once'}. Try it in a
      terminal:
    </p>
    <pre tabindex="0" role="region" aria-label="A call to paste"><code>${curl}</code></pre>
    <p>Then let your integrations call this address in place of v1’s: nothing else of them changes.</p>
  </section>`;
}
