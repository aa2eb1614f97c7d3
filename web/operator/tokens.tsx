import { Select, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tokensQuery } from '../api/operator.ts'
import { localeOf } from '../shell/time.ts'
import { ListSection } from '../teacher/list-section.tsx'

const DAYS = ['7', '14', '30', '90']

/** Tokens by day and model; what they cost only where prices are set. */
export function Tokens() {
  const { t, i18n } = useTranslation()
  const [days, setDays] = useState('14')
  const query = useQuery(tokensQuery(Number(days)))
  const { items, hasPrices = false } = query.data ?? {}
  const locale = localeOf(i18n.language)
  const number = new Intl.NumberFormat(locale)
  const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const choice = (
    <Select
      size="xs"
      w={130}
      aria-label={t('operator.period')}
      allowDeselect={false}
      data={DAYS.map((value) => ({ value, label: t('operator.days', { count: Number(value) }) }))}
      value={days}
      onChange={(value) => value && setDays(value)}
    />
  )
  return (
    <ListSection
      title={t('operator.tokens')}
      empty={t('operator.noTokens')}
      query={{ ...query, data: items }}
      actions={choice}
    >
      {(rows) => (
        <>
          <Table.ScrollContainer
            minWidth={640}
            mah={460}
            scrollAreaProps={{
              viewportProps: { tabIndex: 0, 'aria-label': t('operator.tokens') },
            }}
          >
            <Table verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('operator.day')}</Table.Th>
                  <Table.Th>{t('operator.model')}</Table.Th>
                  <Table.Th ta="right">{t('operator.steps')}</Table.Th>
                  <Table.Th ta="right">{t('operator.input')}</Table.Th>
                  <Table.Th ta="right">{t('operator.cached')}</Table.Th>
                  <Table.Th ta="right">{t('operator.output')}</Table.Th>
                  {hasPrices && <Table.Th ta="right">{t('operator.cost')}</Table.Th>}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((row) => (
                  <Table.Tr key={`${row.day} ${row.model}`}>
                    <Table.Td>{date.format(Date.parse(row.day))}</Table.Td>
                    <Table.Td>{row.model}</Table.Td>
                    <Table.Td ta="right">{number.format(row.steps)}</Table.Td>
                    <Table.Td ta="right">{number.format(row.input)}</Table.Td>
                    <Table.Td ta="right">{number.format(row.cacheRead)}</Table.Td>
                    <Table.Td ta="right">{number.format(row.output)}</Table.Td>
                    {hasPrices && (
                      <Table.Td ta="right">
                        {row.cost === null ? t('operator.noPrice') : dollars.format(row.cost)}
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {!hasPrices && (
            <Text size="sm" c="dimmed" mt="xs">
              {t('operator.noPrices')} <code>MENO_MODEL_PRICES</code>
            </Text>
          )}
        </>
      )}
    </ListSection>
  )
}
