function loadContacts(key, show) {
  var xhr = new XMLHttpRequest();
  xhr.open('GET', 'https://widget.vendor.com/v1/contacts');
  xhr.setRequestHeader('x-api-key', key);
  xhr.onload = function () {
    show(JSON.parse(xhr.responseText));
  };
  xhr.send();
}

window.loadContacts = loadContacts;
