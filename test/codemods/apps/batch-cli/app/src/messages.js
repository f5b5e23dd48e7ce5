import { request } from 'undici';
import { withRetry } from './retry.js';
import { settings } from './settings.js';
import { campaign, launch, message } from './urls.js';

const { api } = settings;

async function call(key, method, url, body) {
  const answer = await request(url, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'user-agent': settings.userAgent },
    body: body && JSON.stringify(body),
  });
  if (answer.statusCode >= 400) throw Object.assign(new Error(`Answered ${answer.statusCode}`), { statusCode: answer.statusCode });
  return answer.body.json();
}

export const send = (key, to, content) =>
  withRetry(() => call(key, 'POST', `${api.root}/v1/messages/send`, { channel: 'SMS', to, content }));
export const statusOf = (key, id) => withRetry(() => call(key, 'GET', message(id)));
export const statsOf = (key, id) => withRetry(() => call(key, 'GET', campaign(id)));
export const launchCampaign = (key, id) => call(key, 'POST', launch(id), {});
