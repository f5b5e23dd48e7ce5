import { expect, test } from '@playwright/test';

test('shows the members', async ({ page }) => {
  await page.route('**/v1/contacts?*', async (route) => {
    expect(route.request().headers()['x-api-key']).toBeTruthy();
    await route.fulfill({ json: { data: [{ phone: '+15550100001' }] } });
  });
  await page.goto('http://localhost:5173/members');
  await expect(page.getByText('+15550100001')).toBeVisible();
});

test('sends a welcome', async ({ page }) => {
  const sent = page.waitForRequest((request) => request.url().endsWith('/v1/messages/send') && request.method() === 'POST');
  await page.route('https://api.example.com/v1/messages/send', (route) => route.fulfill({ json: { messageId: 'm1' } }));
  await page.goto('http://localhost:5173/members/new');
  await page.getByRole('button', { name: 'Welcome' }).click();
  await sent;
});
