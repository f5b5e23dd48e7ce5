/** Another service of ours: it keeps the rooms, and has a key of its own. */
module.exports = class RoomsClient {
  constructor({ config, fetch }) {
    this.config = config.rooms;
    this.fetch = fetch;
  }

  async bookingsOf(contact) {
    const response = await this.fetch(`${this.config.url}/contacts/${contact}/bookings`, {
      headers: { 'x-api-key': this.config.key },
    });
    return response.ok ? response.json() : [];
  }
};
