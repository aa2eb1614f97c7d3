// Carries out the request of a form of /docs and shows what was answered.
document.addEventListener('submit', async (event) => {
  event.preventDefault()
  const form = event.target
  const output = form.querySelector('output')
  output.textContent = '…'
  try {
    output.textContent = await answerTo(form)
  } catch (error) {
    output.textContent = String(error)
  }
})

async function answerTo(form) {
  const { method, path } = form.dataset
  const headers = {}
  const query = new URLSearchParams()
  let address = path
  for (const { name, value, dataset } of form.querySelectorAll('input')) {
    if (dataset.in === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '' && dataset.in === 'query') query.set(name, value)
    else if (value !== '') headers[name] = value
  }
  const body = form.querySelector('textarea')?.value
  if (body) headers['content-type'] = 'application/json'
  const url = query.size > 0 ? `${address}?${query}` : address
  const response = await fetch(url, { method: method.toUpperCase(), headers, body })
  const text = await response.text()
  return `${response.status} ${response.statusText}\n${pretty(text)}`
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
