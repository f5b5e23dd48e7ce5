'use strict';

const util = require('util');
const axios = require('axios');
const { messaging } = require('../config');

const headers = { 'x-api-key': messaging.key };
const contactUrl = (id) => util.format('%s/v1/contacts/%s', messaging.url, encodeURIComponent(id));
const contactsUrl = () => [messaging.url, 'v1', 'contacts'].join('/');

class ContactService {
  async create(contact) {
    try {
      const res = await axios.post(contactsUrl(), contact, { headers });
      return res.data;
    } catch (err) {
      if (err.response && err.response.status === 409) return err.response.data.data;
      throw err;
    }
  }

  async find(id) {
    const res = await axios.get(contactUrl(id), { headers });
    return res.data;
  }

  async list(page, limit) {
    const res = await axios({ method: 'get', url: contactsUrl(), params: { page, limit }, headers });
    return res.data;
  }

  async rename(id, firstName) {
    const res = await axios.put(contactUrl(id), { firstName }, { headers });
    return res.data;
  }
}

module.exports = new ContactService();
