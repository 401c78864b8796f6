// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace flush_bench {

/// Lines over a common axis: data for a plotter, and a chart that needs none. Both axes are logarithmic.
class chart {
public:
    chart(std::string title, std::string across, std::string up)
        : title_{std::move(title)}, across_{std::move(across)}, up_{std::move(up)} {}

    void line(std::string name) {
        names_.push_back(std::move(name));
        values_.emplace_back();
    }

    /// The next place on the axis, and the values of all lines there.
    void add(double place, std::vector<double> const& values) {
        places_.push_back(place);
        for (std::size_t i = 0; i < names_.size(); ++i) {
            values_[i].push_back(values[i]);
        }
    }

    void write(std::string const& path) const {
        std::ofstream data{path + ".dat"};
        data << across_;
        for (auto const& each : names_) {
            data << '\t' << each;
        }
        data << '\n';
        for (std::size_t p = 0; p < places_.size(); ++p) {
            data << places_[p];
            for (auto const& each : values_) {
                data << '\t' << each[p];
            }
            data << '\n';
        }
        draw(path + ".svg");
    }

private:
    void draw(std::string const& path) const {
        constexpr char const* colours[] = {"#444444", "#d95f02", "#7570b3", "#1b9e77", "#e7298a", "#66a61e", "#a6761d"};
        double low = values_[0][0];
        double high = low;
        for (auto const& each : values_) {
            for (double const v : each) {
                low = v < low ? v : low;
                high = v > high ? v : high;
            }
        }
        low = std::pow(10, std::floor(std::log10(low)));
        high = std::pow(10, std::ceil(std::log10(high)));
        auto const x = [&](double v) { return 90 + 560 * std::log(v / places_.front()) / span(); };
        auto const y = [&](double v) { return 440 - 380 * std::log(v / low) / std::log(high / low); };
        std::ofstream out{path};
        out << "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='500' font-family='sans-serif' "
               "font-size='13'>\n"
            << "<rect width='900' height='500' fill='white'/>\n<text x='90' y='30' font-size='16'>" << title_
            << "</text>\n<text x='370' y='485' text-anchor='middle'>" << across_
            << "</text>\n<text x='20' y='250' transform='rotate(-90 20 250)' text-anchor='middle'>" << up_
            << "</text>\n";
        for (double v = low; v <= high * 1.01; v *= 10) {
            out << "<path d='M90 " << y(v) << "H650' stroke='#ddd'/><text x='82' y='" << y(v) + 4
                << "' text-anchor='end'>" << v << "</text>\n";
        }
        for (double const v : {places_.front(), places_[places_.size() / 2], places_.back()}) {
            out << "<text x='" << x(v) << "' y='460' text-anchor='middle'>" << v << "</text>\n";
        }
        for (std::size_t i = 0; i < names_.size(); ++i) {
            char const* const colour = colours[i % (sizeof colours / sizeof *colours)];
            out << "<polyline fill='none' stroke-width='2' stroke='" << colour << "' points='";
            for (std::size_t p = 0; p < places_.size(); ++p) {
                out << x(places_[p]) << ',' << y(values_[i][p]) << ' ';
            }
            double const at = 70 + 22 * static_cast<double>(i);
            out << "'/>\n<text x='690' y='" << at + 5 << "'>" << names_[i] << "</text><path d='M660 " << at
                << "h24' stroke-width='3' stroke='" << colour << "'/>\n";
        }
        out << "</svg>\n";
    }

    [[nodiscard]] double span() const { return std::log(places_.back() / places_.front()); }

    std::string title_;
    std::string across_;
    std::string up_;
    std::vector<std::string> names_{};
    std::vector<double> places_{};
    std::vector<std::vector<double>> values_{};
};

} // namespace flush_bench
