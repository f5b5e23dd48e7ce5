'use strict';

const { Router } = require('express');
const customers = require('../../services/customers');
const messaging = require('../../services/messaging');

const router = Router();

router.get('/:id', (req, res) => {
  const customer = customers.find(req.params.id);
  if (!customer) return res.sendStatus(404);
  res.json(customer);
});

router.post('/:id/points', async (req, res) => {
  const customer = customers.addPoints(req.params.id, req.body.points);
  if (!customer) return res.sendStatus(404);
  const messageId = await messaging.sendSms(customer.phone, `You have ${customer.points} points.`);
  res.status(201).json({ points: customer.points, messageId });
});

module.exports = router;
