'use strict';

const { Router } = require('express');
const messaging = require('../../services/messaging');

const router = Router();

/** Our app asks us, and we ask the service. */
router.get('/:id', async (req, res) => {
  res.json({ status: await messaging.statusOf(req.params.id) });
});

module.exports = router;
