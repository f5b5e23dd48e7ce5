class MessagingError extends Error {
  constructor(status, body) {
    super(`Messaging answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** The service that reaches guests. */
module.exports = function createMessagingClient({ config, fetch, logger }) {
  const { url, key } = config.messaging;

  async function request(method, path, body) {
    const response = await fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json', 'x-api-key': key },
      body: body && JSON.stringify(body),
    });
    const answer = await response.json();
    logger.debug({ method, path, status: response.status });
    if (!response.ok) throw new MessagingError(response.status, answer);
    return answer;
  }

  return {
    send: (to, content, channel = 'SMS') => request('POST', '/messages/send', { channel, to, content }),
    contact: (id) => request('GET', `/contacts/${id}`),
    updateContact: (id, changes) => request('PUT', `/contacts/${id}`, changes),
    createCampaign: (name) => request('POST', '/campaigns', { name }),
    sendCampaign: (id) => request('POST', `/campaigns/${id}/send`),
  };
};

module.exports.MessagingError = MessagingError;
