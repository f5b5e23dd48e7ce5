import * as Sentry from '@sentry/node';

Sentry.init({
  beforeSend(event) {
    if (event.request?.headers) delete event.request.headers['x-api-key'];
    if (event.request?.url?.includes('/v1/messages')) event.tags = { ...event.tags, area: 'messages' };
    return event;
  },
});
