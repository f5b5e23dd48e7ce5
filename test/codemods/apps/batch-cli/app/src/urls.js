import { format } from 'node:util';
import { settings } from './settings.js';

const { root, version } = settings.api;

/** `/v1/contacts?page=1&limit=100` and the like. */
export const contactsPage = (page) => {
  const query = new URLSearchParams({ page, limit: settings.pageSize });
  return `${[root, version, 'contacts'].join('/')}?${query}`;
};

export const message = (id) => format('%s/%s/messages/%s', root, version, id);

export const campaign = (id) => {
  const url = new URL(`/v1/campaigns/${id}`, root);
  url.searchParams.append('fields', 'stats');
  return url;
};

export const launch = (id) => new URL(`${id}/send`, `${root}/${version}/campaigns/`).href;
