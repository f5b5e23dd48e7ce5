module.exports = class ReminderService {
  constructor({ messaging, rooms }) {
    this.messaging = messaging;
    this.rooms = rooms;
  }

  async remind(contactId) {
    const [contact, bookings] = await Promise.all([this.messaging.contact(contactId), this.rooms.bookingsOf(contactId)]);
    if (bookings.length === 0) return undefined;
    const { messageId } = await this.messaging.send(contact.data.phone, `${contact.data.name}, your room waits for you.`);
    return messageId;
  }
};
