export class MessagingError extends Error {
  constructor(status, body) {
    super(`messaging answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

export class MessagingClient {
  constructor({ baseUrl, apiKey }) {
    this.baseUrl = baseUrl;
    this.apiKey = apiKey;
  }

  async request(method, path, body) {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': this.apiKey },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new MessagingError(response.status, await response.text());
    return response.json();
  }
}
