/** The hour on v2 that is under way, on the page about usage and for programs. */
import { expect, test } from 'vitest';
import { startLiveProxy } from './live-proxy.ts';

test('the page shows what each workspace has sent in this hour, and what is kept for writes', async () => {
  const { call, page, proxy } = await startLiveProxy();
  await call('mk_acme_1', { times: 7 });
  const acme = { workspace: 'Acme', limit: 100, used: 7, sends: 0, left: 93, refused: 0 };
  expect(await (await fetch(`${proxy.adminUrl}/budget`)).json()).toMatchObject({ hours: [acme] });
  const shown = await (await fetch(page)).text();
  expect(shown).toContain('This hour on v2');
  expect(shown.indexOf('id="hours-section"')).toBeLessThan(shown.indexOf('id="limits-section"'));
  expect(shown).toMatch(/Acme[\s\S]*?>7[\s\S]*?>93 <small>\d+ kept for writes/);
});

test('before the first call of a workspace, there is no such part', async () => {
  const { page } = await startLiveProxy();
  expect(await (await fetch(page)).text()).not.toContain('hours-section');
});
