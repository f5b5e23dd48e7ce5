export const pages = [
  { path: '/docs/v1/messages', title: 'Messages' },
  { path: '/v1/contacts', title: 'Contacts (old)' },
];
