'use strict';

const customers = new Map([['42', { id: '42', phone: '+15550100001', name: 'Ada', points: 120 }]]);

exports.find = (id) => customers.get(id);
exports.all = () => [...customers.values()];
exports.addPoints = (id, points) => {
  const customer = customers.get(id);
  if (customer) customer.points += points;
  return customer;
};
