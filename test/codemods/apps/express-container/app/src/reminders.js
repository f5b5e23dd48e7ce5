export class Reminders {
  constructor(messaging) {
    this.messaging = messaging;
  }

  remind({ phone, at }) {
    return this.messaging.request('POST', '/v1/messages/send', { channel: 'SMS', to: phone, content: `See you at ${at}` });
  }
}
