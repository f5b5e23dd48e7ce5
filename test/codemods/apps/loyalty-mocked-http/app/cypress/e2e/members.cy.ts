describe('members', () => {
  beforeEach(() => {
    cy.intercept('GET', 'https://api.example.com/v1/contacts*', { fixture: 'contacts.json' }).as('contacts');
    cy.intercept({ method: 'POST', url: 'https://api.example.com/v1/messages/send' }, { messageId: 'm1' }).as('send');
    cy.intercept('POST', '**/v1/contacts', (req) => {
      expect(req.headers['x-api-key']).to.exist;
      req.reply(201, { data: req.body });
    });
  });

  it('lists', () => {
    cy.visit('/members');
    cy.wait('@contacts').its('request.headers').should('have.property', 'x-api-key');
  });

  it('is there, in the service itself', () => {
    cy.request({
      method: 'GET',
      url: 'https://api.example.com/v1/contacts',
      headers: { 'x-api-key': Cypress.env('LOYALTY_MESSAGING_KEY') },
    })
      .its('status')
      .should('eq', 200);
    cy.request('POST', 'http://localhost:5173/v1/session', { user: 'demo' });
  });
});
